-- Projects of the IoT platform. `next_message` counts the messages of a project: it is taken in the
-- transaction that stores the message, so that numbers become visible in their order (ADR 0084).
CREATE TABLE iot_project (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  mgw_id TEXT NOT NULL,
  next_message BIGINT NOT NULL
);

-- What a SIM is to a project. The row stays when the SIM is disconnected: it remembers the address and
-- the device id (ADR 0081). `ip` is NULL until the first assignment.
CREATE TABLE iot_sim (
  project_id TEXT NOT NULL REFERENCES iot_project (id),
  sim_id TEXT NOT NULL,
  device_id TEXT NOT NULL UNIQUE,
  ip BIGINT,
  ip_set BIGINT NOT NULL,
  connected BIGINT NOT NULL,
  PRIMARY KEY (project_id, sim_id)
);

CREATE UNIQUE INDEX iot_sim_connected ON iot_sim (sim_id) WHERE connected = 1;
CREATE UNIQUE INDEX iot_sim_address ON iot_sim (project_id, ip);

-- Service adapters. Token and secret are sealed under the key-encryption key; `token_hash` finds the
-- adapter that a token belongs to. `disabled_at` is set when a receiver has answered 410.
CREATE TABLE iot_adapter (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL REFERENCES iot_project (id),
  serial BIGINT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  token_sealed TEXT NOT NULL,
  secret_sealed TEXT,
  url_sealed TEXT,
  disabled_at BIGINT,
  created_at BIGINT NOT NULL
);

CREATE INDEX iot_adapter_of_project ON iot_adapter (project_id, serial);
