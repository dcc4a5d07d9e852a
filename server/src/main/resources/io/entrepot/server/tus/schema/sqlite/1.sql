-- Only in the main database. What tus wants to be remembered beside an upload, and after it is gone.
-- metadata: as it came. length: if it was told after the upload was begun.
CREATE TABLE server_tus (
    upload TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    metadata TEXT NOT NULL,
    length INTEGER,
    begun INTEGER NOT NULL
);

CREATE INDEX server_tus_begun ON server_tus (begun);
