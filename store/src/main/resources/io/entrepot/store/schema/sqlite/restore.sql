-- Whoever held a lease when the backup was made cannot know of this new life: the next grant has a new epoch and nonce.
UPDATE lease SET held = 0;
