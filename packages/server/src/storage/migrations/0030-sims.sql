-- SIM cards that the operator holds. One by one, or as a range in one row, so that a million cards
-- cost as little as one (ADR 0030). Pass codes are sealed under the key-encryption key.
CREATE TABLE sim_card (
  iccid TEXT PRIMARY KEY,
  pass_code TEXT NOT NULL,
  imsis TEXT NOT NULL
);

CREATE TABLE sim_card_range (
  iccid_from TEXT PRIMARY KEY,
  iccid_to TEXT NOT NULL,
  pass_code TEXT NOT NULL
);

-- Wrong pass codes of the last minutes, by account and card.
CREATE TABLE pass_code_failure (
  account_id TEXT NOT NULL,
  iccid TEXT NOT NULL,
  failed_at BIGINT NOT NULL
);

CREATE INDEX pass_code_failure_of_card ON pass_code_failure (account_id, iccid, failed_at);

CREATE TABLE carrier (
  name TEXT PRIMARY KEY,
  country_code TEXT NOT NULL,
  place BIGINT NOT NULL
);

-- A registered SIM: the item's id, the card that it claims, and where it belongs. `carriers` is NULL
-- while all are allowed, else their names between line breaks; `ip` is the fixed address as a number.
CREATE TABLE sim (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  iccid TEXT NOT NULL UNIQUE,
  imsis TEXT NOT NULL,
  registered_at BIGINT NOT NULL,
  activated BIGINT NOT NULL,
  activated_at BIGINT,
  deactivated_at BIGINT,
  imei TEXT,
  carriers TEXT,
  gateway_id TEXT,
  ip BIGINT
);

CREATE UNIQUE INDEX sim_address ON sim (gateway_id, ip);
CREATE INDEX sim_of_gateway ON sim (gateway_id, id);

-- How many SIMs a gateway has: the limit is a condition of the update, not a count before it.
CREATE TABLE gateway_sim_count (
  gateway_id TEXT PRIMARY KEY,
  sims BIGINT NOT NULL
);
