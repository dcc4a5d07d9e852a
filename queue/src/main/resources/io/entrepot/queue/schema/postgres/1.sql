CREATE TABLE queue (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL,
    lane text NOT NULL,
    paused bigint NOT NULL DEFAULT 0,
    UNIQUE (owner, lane)
);

-- What does not change while an item is handed out, so that a claim need not write it.
-- state: 0 open (in ready or held), 2 delayed, 3 kept, 4 dead (in parked).
-- place: its rank if open; when it becomes ready if delayed; since when if kept or dead.
-- epoch: of the last lease that has ended. trail: one line for each lease that has ended.
CREATE TABLE item (
    id bigint PRIMARY KEY,
    queue bigint NOT NULL,
    state bigint NOT NULL,
    place bigint NOT NULL,
    epoch bigint NOT NULL,
    priority bigint NOT NULL,
    attempts bigint NOT NULL,
    deliveries bigint NOT NULL,
    created bigint NOT NULL,
    key text,
    error text,
    trail text NOT NULL,
    payload bytea NOT NULL
);

-- Items that wait to be claimed, in the order in which they will be.
CREATE TABLE ready (
    queue bigint NOT NULL,
    rank bigint NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (queue, rank, id)
);

-- Items that somebody has. When the lease ends is not here: terms are counted in memory.
CREATE TABLE held (
    id bigint PRIMARY KEY,
    queue bigint NOT NULL,
    epoch bigint NOT NULL,
    nonce bigint NOT NULL,
    holder text NOT NULL,
    term bigint NOT NULL,
    since bigint NOT NULL
);

-- Items that nobody can claim now, in the states 2, 3 and 4 of item, at their place.
CREATE TABLE parked (
    queue bigint NOT NULL,
    state bigint NOT NULL,
    at bigint NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (queue, state, at, id)
);
CREATE INDEX parked_due ON parked (at) WHERE state = 2;

-- How each lease ended, by the day it did, so that forgetting a day is cheap and takes no index.
-- The row of an item's last lease has the trail that its history is read from.
CREATE TABLE past (
    day bigint NOT NULL,
    item bigint NOT NULL,
    epoch bigint NOT NULL,
    nonce bigint NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    queue bigint NOT NULL,
    trail text,
    PRIMARY KEY (day, item, epoch)
);

-- Idempotency keys and what they named.
CREATE TABLE idem (
    queue bigint NOT NULL,
    key text NOT NULL,
    item bigint NOT NULL,
    digest bytea NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (queue, key)
);
CREATE INDEX idem_until ON idem (until);
