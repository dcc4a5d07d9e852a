-- keeper: the process that counts the lease's term. renewals: how often it was renewed at another one than that.
-- Where only one process has the store open, both stay 0.
ALTER TABLE held ADD COLUMN keeper bigint NOT NULL DEFAULT 0;
ALTER TABLE held ADD COLUMN renewals bigint NOT NULL DEFAULT 0;
