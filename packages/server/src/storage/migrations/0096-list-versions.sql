-- Renamings and removals, so that with the number of items they say whether a list is still as it was
-- (docs/adr/0166). Creations change the number alone.
ALTER TABLE item_count ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;

-- Counts up when everything is replaced (wipe.ts), after which the counts above may begin anew.
CREATE TABLE replacement (
  count BIGINT NOT NULL
);

INSERT INTO replacement (count) VALUES (0);
