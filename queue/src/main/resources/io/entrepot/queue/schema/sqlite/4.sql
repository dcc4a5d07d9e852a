-- Idempotency keys of claims: which items a claim got from which queue, under which nonce. Whether it still has them is in
-- held. Nothing here changes when leases end; when its time is over, a row goes if none of them is held any more.
-- items: their numbers, with a space between them.
CREATE TABLE claim_key (
    key TEXT NOT NULL,
    queue INTEGER NOT NULL,
    digest BLOB NOT NULL,
    nonce INTEGER NOT NULL,
    items TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (key, queue)
) WITHOUT ROWID;
CREATE INDEX claim_key_until ON claim_key (until);
