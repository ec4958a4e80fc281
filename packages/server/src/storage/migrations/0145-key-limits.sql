-- Until when a key works, from where (addresses and networks separated by spaces; empty is everywhere), and who uses it.
ALTER TABLE api_key ADD COLUMN expires_at BIGINT;
ALTER TABLE api_key ADD COLUMN allowed_addresses TEXT NOT NULL DEFAULT '';
ALTER TABLE api_key ADD COLUMN note TEXT NOT NULL DEFAULT '';
-- Written in batches; may be a minute behind.
ALTER TABLE api_key ADD COLUMN last_used_at BIGINT;
