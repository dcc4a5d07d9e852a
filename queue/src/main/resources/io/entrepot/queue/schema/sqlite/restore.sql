-- Whoever held an item when the backup was made no longer does: the items go back to where they were in the order.
INSERT INTO ready (queue, rank, id) SELECT i.queue, i.place, i.id FROM held h JOIN item i ON i.id = h.id;
UPDATE item SET epoch = (SELECT h.epoch FROM held h WHERE h.id = item.id) WHERE id IN (SELECT id FROM held);
UPDATE counter SET n = n + (SELECT count(*) FROM held h WHERE h.queue = counter.id) WHERE name = 'queue.READY';
UPDATE counter SET n = 0 WHERE name = 'queue.HELD';
DELETE FROM held;
