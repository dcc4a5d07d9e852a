-- Bytes that nobody needs and that could not be removed, although their volume works: tried again, but rarely.
CREATE TABLE file_stuck (
    id bigint NOT NULL,
    volume bigint NOT NULL,
    path text NOT NULL,
    since bigint NOT NULL,
    again bigint NOT NULL,
    PRIMARY KEY (volume, id)
);

-- How far a scrub has come on each volume, so that it need not begin anew. There is none when none was cut short.
CREATE TABLE scrub_place (
    volume bigint NOT NULL PRIMARY KEY,
    after bigint NOT NULL,
    begun bigint NOT NULL,
    files bigint NOT NULL,
    bytes bigint NOT NULL,
    damaged bigint NOT NULL
);

-- 1: it was drained, and nothing may come there any more, whoever had chosen it before.
ALTER TABLE volume ADD COLUMN drained bigint NOT NULL DEFAULT 0;
