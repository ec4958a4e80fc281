-- Limits of an account by name, as JSON; NULL is none.
ALTER TABLE account ADD COLUMN quotas TEXT;
CREATE INDEX iot_file_of_account ON iot_file (account_id, size);
