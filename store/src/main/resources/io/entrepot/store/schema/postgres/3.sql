-- A row for each group of the last minutes, so that whoever lost the connection in a commit can see what became of it. The
-- number of the transaction alone does not say: after a crash of the database it may be another one's.
CREATE TABLE fate (
    token bigint PRIMARY KEY,
    at bigint NOT NULL
);
CREATE INDEX fate_at ON fate (at);
