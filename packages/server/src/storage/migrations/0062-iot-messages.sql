-- Messages from devices (`up`) and to them (`down`), numbered per project.
CREATE TABLE iot_message (
  project_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  direction TEXT NOT NULL,
  device_id TEXT NOT NULL,
  sent_at BIGINT NOT NULL,
  payload TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, number)
);

CREATE INDEX iot_message_to_device ON iot_message (device_id, direction, number);
CREATE INDEX iot_message_age ON iot_message (created_at);

-- The secret by which a real device is known, as a hash only.
CREATE TABLE iot_device_secret (
  sim_id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE
);

-- What an outgoing webhook is to receive: `waiting`, `delivered` or `dead`.
CREATE TABLE iot_delivery (
  id BIGINT PRIMARY KEY,
  project_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  adapter_id TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  reason TEXT,
  response_code BIGINT,
  created_at BIGINT NOT NULL,
  done_at BIGINT
);

CREATE INDEX iot_delivery_of_message ON iot_delivery (project_id, number);
CREATE INDEX iot_delivery_of_adapter ON iot_delivery (adapter_id);
CREATE INDEX iot_delivery_by_status ON iot_delivery (status, created_at);

CREATE TABLE iot_attempt (
  delivery_id BIGINT NOT NULL,
  place BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  response_code BIGINT,
  at BIGINT NOT NULL
);

CREATE INDEX iot_attempt_of_delivery ON iot_attempt (delivery_id, place);

-- Signed calls of incoming webhooks within the replay window: the same id again adds nothing.
CREATE TABLE iot_incoming_seen (
  adapter_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (adapter_id, webhook_id)
);

CREATE INDEX iot_incoming_seen_age ON iot_incoming_seen (seen_at);
