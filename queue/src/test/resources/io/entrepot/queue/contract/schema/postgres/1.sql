CREATE TABLE ledger (
    what TEXT NOT NULL
);
