-- Revision 0006: exports that take long, with their expiry.

SELECT 1;
