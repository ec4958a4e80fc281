-- Certificates of a public authority, by ACME: the account there, what the server itself was given, and what the
-- authority asks for to see that a name leads here. Servers on one database share all of it.
CREATE TABLE acme_account (
  directory TEXT PRIMARY KEY,
  sealed_key TEXT NOT NULL
);

CREATE TABLE acme_certificate (
  name TEXT PRIMARY KEY,
  -- What was ordered last, and where; another setting orders again.
  directory TEXT NOT NULL,
  domains TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  -- NULL until the first one was issued.
  chain TEXT,
  sealed_key TEXT
);

CREATE TABLE acme_challenge (
  token TEXT PRIMARY KEY,
  answer TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

-- Since the last one was issued.
ALTER TABLE site_auto_certificate ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
