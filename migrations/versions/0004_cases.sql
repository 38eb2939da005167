-- Revision 0004: disputes, chained like games.

SELECT 1;
