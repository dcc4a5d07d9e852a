-- keeper: the process that counts the lease's term. renewals: how often it was renewed at another one than that.
-- Where only one process has the store open, both stay 0.
ALTER TABLE held ADD COLUMN keeper bigint NOT NULL DEFAULT 0;
ALTER TABLE held ADD COLUMN renewals bigint NOT NULL DEFAULT 0;
-- floor: nothing that is ready in the queue has a lower rank. Rows that were taken and are not vacuumed yet are still in
-- the index, at its beginning: a claim looks from here on.
ALTER TABLE queue ADD COLUMN floor bigint NOT NULL DEFAULT -9223372036854775808;
