-- Revision 0005: audits of games that go on, and leases of those who make them.

SELECT 1;
