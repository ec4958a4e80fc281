-- A switch of the account, to which a gateway's private interface can be connected.
CREATE TABLE switch (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  zone TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  tags TEXT NOT NULL,
  default_route TEXT,
  mask_length BIGINT,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX switch_by_id ON switch (account_id, zone, id);
CREATE INDEX switch_by_name ON switch (account_id, zone, name, id);

-- Settings are JSON, once as stored and once as applied (ADR 0041). Whether a gateway is still being
-- made is not stored: it follows from `available_at` and the time (ADR 0040).
CREATE TABLE gateway (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  zone TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  tags TEXT NOT NULL,
  plan_id BIGINT NOT NULL,
  settings TEXT,
  settings_hash TEXT,
  applied_settings TEXT,
  available_at BIGINT NOT NULL,
  power TEXT NOT NULL,
  power_changed_at BIGINT NOT NULL,
  public_address BIGINT NOT NULL,
  public_subnet TEXT NOT NULL,
  switch_id TEXT REFERENCES switch (id),
  created_at BIGINT NOT NULL
);

CREATE INDEX gateway_by_id ON gateway (account_id, zone, id);
CREATE INDEX gateway_by_name ON gateway (account_id, zone, name, id);
-- The operator's addresses are handed out once each; a switch serves one gateway.
CREATE UNIQUE INDEX gateway_public_address ON gateway (public_address);
CREATE UNIQUE INDEX gateway_switch ON gateway (switch_id);

-- A list's Total without counting; sixteen rows a zone, as for items.
CREATE TABLE gateway_count (
  account_id TEXT NOT NULL,
  zone TEXT NOT NULL,
  shard BIGINT NOT NULL,
  gateways BIGINT NOT NULL,
  PRIMARY KEY (account_id, zone, shard)
);
