-- Which key-encryption key everything is to be sealed under again, and how far that is.
CREATE TABLE encryption_rotation (
  key_id TEXT PRIMARY KEY,
  requested_at BIGINT NOT NULL,
  finished_at BIGINT,
  resealed BIGINT NOT NULL,
  failed BIGINT NOT NULL
);
