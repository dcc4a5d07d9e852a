-- Items that are gone, each with the lease it had last: when it went, and the trail of what happened before that lease.
-- id: the day it went times 2^40, plus its number. So items that go one after another are neighbours, written at the
-- table's end; and forgetting a day takes no index.
-- holder: null if the trail has everything.
CREATE TABLE gone (
    id bigint PRIMARY KEY,
    queue bigint NOT NULL,
    kind text NOT NULL,
    epoch bigint NOT NULL,
    nonce bigint NOT NULL,
    since bigint NOT NULL,
    at bigint NOT NULL,
    holder text,
    trail text NOT NULL
);
INSERT INTO gone SELECT day * 1099511627776 + item, queue, kind, epoch, nonce, at, at, NULL, trail
    FROM past WHERE trail IS NOT NULL;
DELETE FROM past WHERE trail IS NOT NULL;
-- From now on: how leases ended whose items stayed.
ALTER TABLE past DROP COLUMN trail;
