-- Only in the main database. hash: SHA-256 of the secret, which is not kept. scopes: separated by spaces.
CREATE TABLE server_key (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    hash BYTEA NOT NULL,
    scopes TEXT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT,
    last_used BIGINT,
    revoked BIGINT
);

-- What was done by administrators. outcome: empty until it is known.
CREATE TABLE server_audit (
    id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    key_id TEXT NOT NULL,
    key_name TEXT NOT NULL,
    address TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL,
    request TEXT NOT NULL
);

CREATE INDEX server_audit_at ON server_audit (at);
