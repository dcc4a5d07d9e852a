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
    enabled BIGINT NOT NULL,
    created BIGINT NOT NULL,
    version BIGINT NOT NULL,
    cursor TEXT NOT NULL,
    head TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    delivered BIGINT NOT NULL,
    missed BIGINT NOT NULL,
    last_success BIGINT,
    last_failure BIGINT,
    last_error TEXT NOT NULL
);

-- What could not be delivered. due: it is to be tried again.
CREATE TABLE server_webhook_dead (
    id BIGINT PRIMARY KEY,
    webhook TEXT NOT NULL,
    event TEXT NOT NULL,
    type TEXT NOT NULL,
    message TEXT NOT NULL,
    at BIGINT NOT NULL,
    died BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    error TEXT NOT NULL,
    due BIGINT NOT NULL
);

CREATE INDEX server_webhook_dead_webhook ON server_webhook_dead (webhook, id);
