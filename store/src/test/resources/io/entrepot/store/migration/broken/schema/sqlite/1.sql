-- The first version: one table, and a row that says how often this ran.
CREATE TABLE ship (name TEXT NOT NULL);
CREATE TABLE step (n INTEGER NOT NULL);
INSERT INTO step VALUES (1);
