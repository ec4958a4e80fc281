-- Sites of the web accelerator. `settings` is the JSON of what a caller sets; secrets in it are sealed.
CREATE TABLE site (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  ascii_domain TEXT NOT NULL UNIQUE,
  subdomain TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL,
  status TEXT NOT NULL,
  guard_token TEXT NOT NULL,
  next_guard_token TEXT NOT NULL,
  acl TEXT NOT NULL,
  log_upload TEXT,
  created_at BIGINT NOT NULL
);

CREATE INDEX site_of_account ON site (account_id, id);

-- One current and one old generation a site; the private key is sealed.
CREATE TABLE site_certificate (
  site_id TEXT NOT NULL REFERENCES site (id),
  generation TEXT NOT NULL,
  id TEXT NOT NULL,
  chain TEXT NOT NULL,
  sealed_key TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (site_id, generation)
);

-- What was delivered on a day of Japan (20260401); the day 00 holds what is known of a month alone.
CREATE TABLE site_usage (
  site_id TEXT NOT NULL REFERENCES site (id),
  day TEXT NOT NULL,
  access_count BIGINT NOT NULL,
  bytes_sent BIGINT NOT NULL,
  cache_miss_bytes_sent BIGINT NOT NULL,
  PRIMARY KEY (site_id, day)
);

-- What has to leave the caches; `url` is NULL when that is everything of the site.
CREATE TABLE site_purge (
  id BIGINT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES site (id),
  url TEXT,
  at BIGINT NOT NULL
);

CREATE INDEX site_purge_of_site ON site_purge (site_id, id);

-- The rate limit: as many slots an account as calls in an hour. A call takes a slot that nobody has
-- taken for an hour; there is no counter that all calls of an account would have to write.
CREATE TABLE rate_slot (
  account_id TEXT NOT NULL,
  slot BIGINT NOT NULL,
  taken_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, slot)
);

-- Each count of a Digest nonce is good for one request, on whichever process it arrives.
CREATE TABLE digest_use (
  nonce TEXT NOT NULL,
  nonce_count BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (nonce, nonce_count)
);

CREATE INDEX digest_use_by_expiry ON digest_use (expires_at);
