"""The revisions, frozen once released: ``NNNN_subject.py`` with its SQL beside it."""
