CREATE TABLE queue (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    lane TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    UNIQUE (owner, lane)
);

-- What does not change while an item is handed out, so that a claim need not write it.
-- state: 0 open (in ready or held), 2 delayed, 3 kept, 4 dead (in parked).
-- place: its rank if open; when it becomes ready if delayed; since when if kept or dead.
-- epoch: of the last lease that has ended. trail: one line for each lease that has ended.
CREATE TABLE item (
    id INTEGER PRIMARY KEY,
    queue INTEGER NOT NULL,
    state INTEGER NOT NULL,
    place INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    deliveries INTEGER NOT NULL,
    created INTEGER NOT NULL,
    key TEXT,
    error TEXT,
    trail TEXT NOT NULL,
    payload BLOB NOT NULL
);

-- Items that wait to be claimed, in the order in which they will be.
CREATE TABLE ready (
    queue INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (queue, rank, id)
) WITHOUT ROWID;

-- Items that somebody has. When the lease ends is not here: terms are counted in memory.
CREATE TABLE held (
    id INTEGER PRIMARY KEY,
    queue INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    holder TEXT NOT NULL,
    term INTEGER NOT NULL,
    since INTEGER NOT NULL
);

-- Items that nobody can claim now, in the states 2, 3 and 4 of item, at their place.
CREATE TABLE parked (
    queue INTEGER NOT NULL,
    state INTEGER NOT NULL,
    at INTEGER NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (queue, state, at, id)
) WITHOUT ROWID;
CREATE INDEX parked_due ON parked (at) WHERE state = 2;

-- How each lease ended, by the day it did, so that forgetting a day is cheap and takes no index.
-- The row of an item's last lease has the trail that its history is read from.
CREATE TABLE past (
    day INTEGER NOT NULL,
    item INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    queue INTEGER NOT NULL,
    trail TEXT,
    PRIMARY KEY (day, item, epoch)
) WITHOUT ROWID;

-- Idempotency keys and what they named.
CREATE TABLE idem (
    queue INTEGER NOT NULL,
    key TEXT NOT NULL,
    item INTEGER NOT NULL,
    digest BLOB NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (queue, key)
) WITHOUT ROWID;
CREATE INDEX idem_until ON idem (until);
