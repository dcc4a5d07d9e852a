-- Whoever held an item when the backup was made no longer does: the items go back to where they were in the order.
INSERT INTO ready (queue, rank, id) SELECT i.queue, i.place, i.id FROM held h JOIN item i ON i.id = h.id;
UPDATE item SET epoch = h.epoch, trail = trail || h.epoch || char(9) || h.since || char(9) || h.since || char(9)
    || 'taken-back' || char(9) || h.holder || char(9) || 'a backup was restored' || char(10)
    FROM held h WHERE h.id = item.id;
-- The counter of a queue may not be there: items that were put and claimed in one commit were never counted as ready.
INSERT INTO counter (name, id, n) SELECT 'queue.READY', queue, count(*) FROM held WHERE true GROUP BY queue
    ON CONFLICT (name, id) DO UPDATE SET n = n + excluded.n;
UPDATE counter SET n = 0 WHERE name = 'queue.HELD';
DELETE FROM held;
-- What a claim got is taken back, so it may be made again.
DELETE FROM claim_key;
-- Numbers that were given out after the backup was made are not given out again. There were fewer than this.
UPDATE counter SET n = n + 1000000000 WHERE name = 'queue.item';
