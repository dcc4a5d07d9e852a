-- When the source of a file was last changed, in milliseconds; null if that is not known.
ALTER TABLE file ADD COLUMN modified bigint;
ALTER TABLE upload ADD COLUMN modified bigint;
