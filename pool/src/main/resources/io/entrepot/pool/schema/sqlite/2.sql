-- Bytes that nobody needs and that could not be removed, although their volume works: tried again, but rarely.
CREATE TABLE file_stuck (
    id INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    path TEXT NOT NULL,
    since INTEGER NOT NULL,
    again INTEGER NOT NULL,
    PRIMARY KEY (volume, id)
) WITHOUT ROWID;

-- How far a scrub has come on each volume, so that it need not begin anew. There is none when none was cut short.
CREATE TABLE scrub_place (
    volume INTEGER NOT NULL PRIMARY KEY,
    after INTEGER NOT NULL,
    begun INTEGER NOT NULL,
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    damaged INTEGER NOT NULL
);

-- 1: it was drained, and nothing may come there any more, whoever had chosen it before.
ALTER TABLE volume ADD COLUMN drained INTEGER NOT NULL DEFAULT 0;
