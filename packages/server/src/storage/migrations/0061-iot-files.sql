-- Files of a project. The content is a blob under a key of its own, so that a new one takes the place of
-- the old one with the row.
CREATE TABLE iot_file (
  project_id TEXT NOT NULL REFERENCES iot_project (id),
  name TEXT NOT NULL,
  account_id TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  blob_key TEXT UNIQUE,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, name)
);

-- Upload tokens, as hashes only. Used up by the upload that succeeds (ADR 0083).
CREATE TABLE iot_upload_token (
  hash TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  name TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX iot_upload_token_expiry ON iot_upload_token (expires_at);

-- Every blob, from before its first byte is written: what no file refers to is swept.
CREATE TABLE iot_blob (
  blob_key TEXT PRIMARY KEY,
  created_at BIGINT NOT NULL
);

CREATE INDEX iot_blob_age ON iot_blob (created_at);
