-- The threes of characters in names and outside keys, by which a search for a part of one finds its
-- candidates (docs/adr/0151). The rowid is the item's id as a number; ids are digits.
CREATE VIRTUAL TABLE item_text USING fts5(
  name, external_key, content='', contentless_delete=1, detail=column, tokenize='trigram'
);

INSERT INTO item_text (rowid, name, external_key) SELECT CAST(id AS INTEGER), name, external_key FROM item;

-- A row at a time, the index writes itself out each time, which costs several times as much. So the ids
-- wait here, and before each commit those of all its writes are taken in at once (sqlite-text-index.ts).
CREATE TABLE item_text_waiting (id INTEGER PRIMARY KEY);

CREATE TRIGGER item_text_added AFTER INSERT ON item BEGIN INSERT OR IGNORE INTO item_text_waiting (id) VALUES (CAST(new.id AS INTEGER)); END;

CREATE TRIGGER item_text_changed AFTER UPDATE OF name, external_key ON item WHEN old.name <> new.name OR old.external_key IS NOT new.external_key BEGIN INSERT OR IGNORE INTO item_text_waiting (id) VALUES (CAST(new.id AS INTEGER)); END;

CREATE TRIGGER item_text_removed AFTER DELETE ON item BEGIN INSERT OR IGNORE INTO item_text_waiting (id) VALUES (CAST(old.id AS INTEGER)); END;
