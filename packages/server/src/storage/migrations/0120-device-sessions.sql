-- Up to which number a device has acknowledged the messages to it.
ALTER TABLE iot_sim ADD COLUMN acknowledged BIGINT NOT NULL DEFAULT 0;

-- Sessions of devices that stay connected. `opened_by` is the open connection, or the one that a crash has cut.
CREATE TABLE iot_session (
  sim_id TEXT NOT NULL,
  client TEXT NOT NULL,
  opened_by TEXT,
  subscriptions TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (sim_id, client)
);
