-- The first statement works, the second does not.
DELETE FROM ship;
INSERT INTO harbour VALUES ('nowhere');
