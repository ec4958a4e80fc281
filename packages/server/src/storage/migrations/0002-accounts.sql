CREATE TABLE account (
  id TEXT PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  class TEXT NOT NULL,
  member_code TEXT NOT NULL,
  member_class TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- The secret itself is nowhere: `verifier` holds its hashes, sealed under the key-encryption key.
CREATE TABLE api_key (
  token TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  permission TEXT NOT NULL,
  external TEXT NOT NULL,
  verifier TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- One value sealed under the key-encryption key, by which a wrong key is known at start.
CREATE TABLE encryption_check (
  sealed TEXT NOT NULL
);

CREATE INDEX api_key_of_account ON api_key (account_id, token);
