-- status: 0 enabled, 1 suspended, 2 disabled. Limits: null is none. retry_*: null where the pool's policy holds.
CREATE TABLE tenant (
    id bigint PRIMARY KEY,
    name text NOT NULL UNIQUE,
    status bigint NOT NULL,
    paused bigint NOT NULL,
    created bigint NOT NULL,
    max_files bigint,
    max_bytes bigint,
    warn_percent bigint NOT NULL,
    retry_initial bigint,
    retry_max bigint,
    retry_attempts bigint,
    retry_exponential bigint
);

-- Of the whole pool; only in the main database. state: 0 active, 1 read-only, 2 draining, 3 spare.
-- made: 0 until its directory is known to carry the identity; whoever opens it till then makes it.
CREATE TABLE volume (
    id bigint PRIMARY KEY,
    name text NOT NULL UNIQUE,
    identity text NOT NULL,
    location text NOT NULL,
    state bigint NOT NULL,
    depth bigint NOT NULL,
    headroom bigint NOT NULL,
    mounted bigint NOT NULL,
    made bigint NOT NULL
);

-- Of the whole pool; only in the main database. Matched against tenant/directory.
CREATE TABLE quota (
    pattern text PRIMARY KEY,
    max_files bigint NOT NULL,
    warn_percent bigint NOT NULL,
    inherited bigint NOT NULL,
    enabled bigint NOT NULL,
    created bigint NOT NULL
);

-- Logical directories that have ever had a file. How many they have is in the counters.
CREATE TABLE directory (
    id bigint PRIMARY KEY,
    tenant bigint NOT NULL,
    path text NOT NULL,
    UNIQUE (tenant, path)
);

-- id: the number in the key, and the number of the queue's item. Where it stands is in the queue, unless it is held.
-- trail: what happened to it beside the queue, one line each.
CREATE TABLE file (
    tenant bigint NOT NULL,
    id bigint NOT NULL,
    nonce bigint NOT NULL,
    directory bigint NOT NULL,
    volume bigint NOT NULL,
    depth bigint NOT NULL,
    extension text NOT NULL,
    name text,
    size bigint NOT NULL,
    sha bytea NOT NULL,
    created bigint NOT NULL,
    priority bigint NOT NULL,
    held bigint NOT NULL,
    labels text NOT NULL,
    source text,
    trail text NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX file_volume ON file (volume, id);

-- Small files whose bytes may not be on the disk yet: after a crash they are written again from here.
CREATE TABLE file_redo (
    id bigint PRIMARY KEY,
    volume bigint NOT NULL,
    path text NOT NULL,
    description bytea NOT NULL,
    content bytea NOT NULL
);

-- Bytes that nobody needs any more and that may still be there.
CREATE TABLE file_doomed (
    id bigint NOT NULL,
    volume bigint NOT NULL,
    path text NOT NULL,
    PRIMARY KEY (volume, id)
);

-- Files that are gone, by the day they went, so that forgetting a day is cheap.
CREATE TABLE file_gone (
    day bigint NOT NULL,
    tenant bigint NOT NULL,
    id bigint NOT NULL,
    nonce bigint NOT NULL,
    directory bigint NOT NULL,
    name text,
    size bigint NOT NULL,
    sha bytea NOT NULL,
    created bigint NOT NULL,
    at bigint NOT NULL,
    why text NOT NULL,
    source text,
    trail text NOT NULL,
    PRIMARY KEY (day, tenant, id)
);

-- Idempotency keys and the files they named.
CREATE TABLE file_key (
    tenant bigint NOT NULL,
    key text NOT NULL,
    id bigint NOT NULL,
    nonce bigint NOT NULL,
    size bigint NOT NULL,
    sha bytea NOT NULL,
    name text,
    until bigint NOT NULL,
    PRIMARY KEY (tenant, key)
);
CREATE INDEX file_key_until ON file_key (until);

-- Files that are being written in pieces. state: 0 open, 1 stored, 2 the file was there already. size: so much of it is durable
-- on the volume, as incoming. writer, busy: which process is just adding to it, and until when that is believed; only where
-- there are several. number, nonce, sha, created: the file that it becomes, fixed when it is being finished.
CREATE TABLE upload (
    tenant bigint NOT NULL,
    id text NOT NULL,
    state bigint NOT NULL,
    volume bigint NOT NULL,
    incoming text NOT NULL,
    size bigint NOT NULL,
    expected bigint,
    directory bigint NOT NULL,
    begun bigint NOT NULL,
    expires bigint NOT NULL,
    writer bigint NOT NULL,
    busy bigint NOT NULL,
    name text,
    priority bigint NOT NULL,
    available bigint,
    idempotency text,
    labels text NOT NULL,
    source text,
    number bigint,
    nonce bigint,
    sha bytea,
    created bigint,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX upload_expires ON upload (expires);

-- Directories that are watched; only in the main database. tenant: null where each sub-directory is one. Lists are a line each.
-- action: 0 delete, 1 move, 2 keep. removed: since when; its number stays for a while, so that it is still known what it has
-- imported if it is added again.
CREATE TABLE watcher (
    id bigint PRIMARY KEY,
    name text NOT NULL UNIQUE,
    tenant text,
    make_directories bigint NOT NULL,
    path text NOT NULL,
    every bigint NOT NULL,
    at_once bigint NOT NULL,
    min_age bigint NOT NULL,
    max_size bigint NOT NULL,
    patterns text NOT NULL,
    excludes text NOT NULL,
    action bigint NOT NULL,
    move_to text,
    is_recursive bigint NOT NULL,
    marker text,
    priority bigint NOT NULL,
    labels text NOT NULL,
    enabled bigint NOT NULL,
    removed bigint
);

-- Sources that were imported, written together with the file. alias: the path, if the source had other names as well.
-- state: 0 the source is still to be removed or moved, 1 it is kept, 2 it is gone; at: since when, or last looked at.
CREATE TABLE import_source (
    tenant bigint NOT NULL,
    watcher bigint NOT NULL,
    inode bigint NOT NULL,
    birth bigint NOT NULL,
    size bigint NOT NULL,
    mtime bigint NOT NULL,
    alias text NOT NULL,
    path text NOT NULL,
    device bigint NOT NULL,
    ctime bigint NOT NULL,
    file bigint NOT NULL,
    nonce bigint NOT NULL,
    state bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (tenant, watcher, inode, birth, size, mtime, alias)
);
CREATE INDEX import_source_state ON import_source (watcher, state, at);

-- Sources that could not be imported; only in the main database. next: when it is tried again, null if it is parked.
CREATE TABLE import_failure (
    watcher bigint NOT NULL,
    path text NOT NULL,
    tenant text NOT NULL,
    inode bigint NOT NULL,
    size bigint NOT NULL,
    mtime bigint NOT NULL,
    ctime bigint NOT NULL,
    attempts bigint NOT NULL,
    error text NOT NULL,
    at bigint NOT NULL,
    next bigint,
    PRIMARY KEY (watcher, path)
);

-- Bytes on volumes that no file has: nothing is done with them at first sight. Only in the main database.
-- seen: when they were first seen; looked: when they were last.
CREATE TABLE orphan (
    volume bigint NOT NULL,
    path text NOT NULL,
    seen bigint NOT NULL,
    looked bigint NOT NULL,
    PRIMARY KEY (volume, path)
);
