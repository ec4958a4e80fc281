-- The same by an index that the engine uses by itself, where its extension is there and may be made; else
-- searches work as before and read all items of the account (docs/adr/0151).
DO $$ BEGIN CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE INDEX item_name_parts ON item USING gin (lower(name) gin_trgm_ops); CREATE INDEX item_external_key_parts ON item USING gin (lower(external_key) gin_trgm_ops); EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN NULL; END $$;
