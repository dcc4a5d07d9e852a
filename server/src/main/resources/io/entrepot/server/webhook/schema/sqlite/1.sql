-- Only in the main database. Who is told what happens. types, tenants: separated by spaces; all if empty. secret: what is signed
-- with, which is why it is kept as it is. version: grows with every change that whoever delivers must know of.
-- cursor: after the last event that was dealt with. head, attempts, next_at: the event that is tried now.
CREATE TABLE server_webhook (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    tenants TEXT NOT NULL,
    secret TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    created INTEGER NOT NULL,
    version INTEGER NOT NULL,
    cursor TEXT NOT NULL,
    head TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    delivered INTEGER NOT NULL,
    missed INTEGER NOT NULL,
    last_success INTEGER,
    last_failure INTEGER,
    last_error TEXT NOT NULL
);

-- What could not be delivered. due: it is to be tried again.
CREATE TABLE server_webhook_dead (
    id INTEGER PRIMARY KEY,
    webhook TEXT NOT NULL,
    event TEXT NOT NULL,
    type TEXT NOT NULL,
    message TEXT NOT NULL,
    at INTEGER NOT NULL,
    died INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    error TEXT NOT NULL,
    due INTEGER NOT NULL
);

CREATE INDEX server_webhook_dead_webhook ON server_webhook_dead (webhook, id);
