"""What a reader's browser loads: plain ES modules without a build step; nothing in them asks the service anything."""
