-- Revision 0003: principals, keys and sessions.

SELECT 1;
