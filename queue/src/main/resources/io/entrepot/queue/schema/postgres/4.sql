-- Idempotency keys of claims: which items a claim got from which queue, under which nonce. Whether it still has them is in
-- held. Nothing here changes when leases end; when its time is over, a row goes if none of them is held any more.
-- items: their numbers, with a space between them.
CREATE TABLE claim_key (
    key text NOT NULL,
    queue bigint NOT NULL,
    digest bytea NOT NULL,
    nonce bigint NOT NULL,
    items text NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (key, queue)
);
CREATE INDEX claim_key_until ON claim_key (until);
