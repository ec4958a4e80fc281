-- As items have it: the id of an icon, kept and shown.
ALTER TABLE switch ADD COLUMN icon_id TEXT;
ALTER TABLE gateway ADD COLUMN icon_id TEXT;
