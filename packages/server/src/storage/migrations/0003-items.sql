-- What every common service item has, whatever its kind. `external_key` is what the item stands for
-- outside (a SIM's ICCID); tags are one text, each between line breaks.
CREATE TABLE item (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  class TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  tags TEXT NOT NULL,
  icon_id TEXT,
  external_key TEXT,
  availability TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX item_by_id ON item (account_id, id);
CREATE INDEX item_by_class_and_id ON item (account_id, class, id);
CREATE INDEX item_by_class_and_name ON item (account_id, class, name, id);
CREATE INDEX item_by_name ON item (account_id, name, id);
CREATE INDEX item_by_external_key ON item (account_id, external_key);

-- A list's Total without counting a million rows each time. Sixteen rows a class, chosen by the id,
-- so that concurrent creations do not wait for one another.
CREATE TABLE item_count (
  account_id TEXT NOT NULL,
  class TEXT NOT NULL,
  shard BIGINT NOT NULL,
  items BIGINT NOT NULL,
  PRIMARY KEY (account_id, class, shard)
);
