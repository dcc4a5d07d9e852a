-- status: 0 enabled, 1 suspended, 2 disabled. Limits: null is none. retry_*: null where the pool's policy holds.
CREATE TABLE tenant (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    status INTEGER NOT NULL,
    paused INTEGER NOT NULL,
    created INTEGER NOT NULL,
    max_files INTEGER,
    max_bytes INTEGER,
    warn_percent INTEGER NOT NULL,
    retry_initial INTEGER,
    retry_max INTEGER,
    retry_attempts INTEGER,
    retry_exponential INTEGER
);

-- Of the whole pool; only in the main database. state: 0 active, 1 read-only, 2 draining, 3 spare.
-- made: 0 until its directory is known to carry the identity; whoever opens it till then makes it.
CREATE TABLE volume (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    identity TEXT NOT NULL,
    location TEXT NOT NULL,
    state INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    headroom INTEGER NOT NULL,
    mounted INTEGER NOT NULL,
    made INTEGER NOT NULL
);

-- Of the whole pool; only in the main database. Matched against tenant/directory.
CREATE TABLE quota (
    pattern TEXT PRIMARY KEY,
    max_files INTEGER NOT NULL,
    warn_percent INTEGER NOT NULL,
    inherited INTEGER NOT NULL,
    enabled INTEGER NOT NULL,
    created INTEGER NOT NULL
);

-- Logical directories that have ever had a file. How many they have is in the counters.
CREATE TABLE directory (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    path TEXT NOT NULL,
    UNIQUE (tenant, path)
);

-- id: the number in the key, and the number of the queue's item. Where it stands is in the queue, unless it is held.
-- trail: what happened to it beside the queue, one line each.
CREATE TABLE file (
    tenant INTEGER NOT NULL,
    id INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    directory INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    extension TEXT NOT NULL,
    name TEXT,
    size INTEGER NOT NULL,
    sha BLOB NOT NULL,
    created INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    held INTEGER NOT NULL,
    labels TEXT NOT NULL,
    source TEXT,
    trail TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
) WITHOUT ROWID;
CREATE INDEX file_volume ON file (volume, id);

-- Small files whose bytes may not be on the disk yet: after a crash they are written again from here.
CREATE TABLE file_redo (
    id INTEGER PRIMARY KEY,
    volume INTEGER NOT NULL,
    path TEXT NOT NULL,
    description BLOB NOT NULL,
    content BLOB NOT NULL
);

-- Bytes that nobody needs any more and that may still be there.
CREATE TABLE file_doomed (
    id INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (volume, id)
) WITHOUT ROWID;

-- Files that are gone, by the day they went, so that forgetting a day is cheap.
CREATE TABLE file_gone (
    day INTEGER NOT NULL,
    tenant INTEGER NOT NULL,
    id INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    directory INTEGER NOT NULL,
    name TEXT,
    size INTEGER NOT NULL,
    sha BLOB NOT NULL,
    created INTEGER NOT NULL,
    at INTEGER NOT NULL,
    why TEXT NOT NULL,
    source TEXT,
    trail TEXT NOT NULL,
    PRIMARY KEY (day, tenant, id)
) WITHOUT ROWID;

-- Idempotency keys and the files they named.
CREATE TABLE file_key (
    tenant INTEGER NOT NULL,
    key TEXT NOT NULL,
    id INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    size INTEGER NOT NULL,
    sha BLOB NOT NULL,
    name TEXT,
    until INTEGER NOT NULL,
    PRIMARY KEY (tenant, key)
) WITHOUT ROWID;
CREATE INDEX file_key_until ON file_key (until);

-- Files that are being written in pieces. state: 0 open, 1 stored, 2 the file was there already. size: so much of it is durable
-- on the volume, as incoming. writer, busy: which process is just adding to it, and until when that is believed; only where
-- there are several. number, nonce, sha, created: the file that it becomes, fixed when it is being finished.
CREATE TABLE upload (
    tenant INTEGER NOT NULL,
    id TEXT NOT NULL,
    state INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    incoming TEXT NOT NULL,
    size INTEGER NOT NULL,
    expected INTEGER,
    directory INTEGER NOT NULL,
    begun INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    writer INTEGER NOT NULL,
    busy INTEGER NOT NULL,
    name TEXT,
    priority INTEGER NOT NULL,
    available INTEGER,
    idempotency TEXT,
    labels TEXT NOT NULL,
    source TEXT,
    number INTEGER,
    nonce INTEGER,
    sha BLOB,
    created INTEGER,
    PRIMARY KEY (tenant, id)
) WITHOUT ROWID;
CREATE INDEX upload_expires ON upload (expires);

-- Directories that are watched; only in the main database. tenant: null where each sub-directory is one. Lists are a line each.
-- action: 0 delete, 1 move, 2 keep. removed: since when; its number stays for a while, so that it is still known what it has
-- imported if it is added again.
CREATE TABLE watcher (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    tenant TEXT,
    make_directories INTEGER NOT NULL,
    path TEXT NOT NULL,
    every INTEGER NOT NULL,
    at_once INTEGER NOT NULL,
    min_age INTEGER NOT NULL,
    max_size INTEGER NOT NULL,
    patterns TEXT NOT NULL,
    excludes TEXT NOT NULL,
    action INTEGER NOT NULL,
    move_to TEXT,
    is_recursive INTEGER NOT NULL,
    marker TEXT,
    priority INTEGER NOT NULL,
    labels TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    removed INTEGER
);

-- Sources that were imported, written together with the file. alias: the path, if the source had other names as well.
-- state: 0 the source is still to be removed or moved, 1 it is kept, 2 it is gone; at: since when, or last looked at.
CREATE TABLE import_source (
    tenant INTEGER NOT NULL,
    watcher INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    birth INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    alias TEXT NOT NULL,
    path TEXT NOT NULL,
    device INTEGER NOT NULL,
    ctime INTEGER NOT NULL,
    file INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    state INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, watcher, inode, birth, size, mtime, alias)
) WITHOUT ROWID;
CREATE INDEX import_source_state ON import_source (watcher, state, at);

-- Sources that could not be imported; only in the main database. next: when it is tried again, null if it is parked.
CREATE TABLE import_failure (
    watcher INTEGER NOT NULL,
    path TEXT NOT NULL,
    tenant TEXT NOT NULL,
    inode INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    ctime INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    error TEXT NOT NULL,
    at INTEGER NOT NULL,
    next INTEGER,
    PRIMARY KEY (watcher, path)
) WITHOUT ROWID;

-- Bytes on volumes that no file has: nothing is done with them at first sight. Only in the main database.
-- seen: when they were first seen; looked: when they were last.
CREATE TABLE orphan (
    volume INTEGER NOT NULL,
    path TEXT NOT NULL,
    seen INTEGER NOT NULL,
    looked INTEGER NOT NULL,
    PRIMARY KEY (volume, path)
) WITHOUT ROWID;
