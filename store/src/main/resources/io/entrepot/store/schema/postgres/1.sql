-- The time that everything here goes by, in milliseconds since 1970; tests put another one in its place.
CREATE FUNCTION entrepot_now() RETURNS bigint LANGUAGE sql VOLATILE
    AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

-- Facts about the database itself: its incarnation, the last time it knew. Written over again and again.
CREATE TABLE meta (
    key text PRIMARY KEY,
    value text NOT NULL
) WITH (fillfactor = 10);

-- Numbers kept in step with the rows they count. Written over again and again: room in the page keeps that cheap.
CREATE TABLE counter (
    name text NOT NULL,
    id bigint NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (name, id)
) WITH (fillfactor = 50);

-- The outbox: one row for all events of a group commit. Event numbers are first, first + 1, … first + n - 1.
CREATE TABLE event (
    first bigint PRIMARY KEY,
    n integer NOT NULL,
    at bigint NOT NULL,
    entries bytea NOT NULL
);

-- Leases that only one party may hold. A row stays when its lease is free, so that epochs only grow.
-- renewals: how often the lease was renewed, so that everybody can see that it was.
CREATE TABLE lease (
    name text PRIMARY KEY,
    held integer NOT NULL,
    holder text NOT NULL,
    epoch bigint NOT NULL,
    nonce bigint NOT NULL,
    term bigint NOT NULL,
    protection text NOT NULL,
    renewals bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
