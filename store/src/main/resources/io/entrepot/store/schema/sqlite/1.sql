-- Facts about the database itself: its incarnation, the last time it knew.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Numbers kept in step with the rows they count.
CREATE TABLE counter (
    name TEXT NOT NULL,
    id INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (name, id)
) WITHOUT ROWID;

-- The outbox: one row for all events of a group commit. Event numbers are first, first + 1, … first + n - 1.
CREATE TABLE event (
    first INTEGER PRIMARY KEY,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    entries BLOB NOT NULL
);

-- Leases that only one party may hold. A row stays when its lease is free, so that epochs only grow.
CREATE TABLE lease (
    name TEXT PRIMARY KEY,
    held INTEGER NOT NULL,
    holder TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    term INTEGER NOT NULL,
    protection TEXT NOT NULL
) WITHOUT ROWID;

-- Owners that have a database file of their own.
CREATE TABLE shard (
    owner TEXT PRIMARY KEY,
    at INTEGER NOT NULL
) WITHOUT ROWID;
