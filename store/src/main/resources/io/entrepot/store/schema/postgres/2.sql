-- What has been added to counters and is not in them yet, so that those who count at the same time do not wait for each
-- other, nor write one row over and over. Added up now and then: up to the number that meta has as 'tally'.
CREATE TABLE tally (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    id bigint NOT NULL,
    n bigint NOT NULL
);
