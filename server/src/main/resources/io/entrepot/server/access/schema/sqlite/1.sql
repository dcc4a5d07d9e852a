-- Only in the main database. hash: SHA-256 of the secret, which is not kept. scopes: separated by spaces.
CREATE TABLE server_key (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    hash BLOB NOT NULL,
    scopes TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    last_used INTEGER,
    revoked INTEGER
);

-- What was done by administrators. outcome: empty until it is known.
CREATE TABLE server_audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    key_name TEXT NOT NULL,
    address TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL,
    request TEXT NOT NULL
);

CREATE INDEX server_audit_at ON server_audit (at);
