-- Bytes by calendar month in Japan. A network's total is spread over rows chosen by the SIM, so that
-- its SIMs do not wait for one another.
CREATE TABLE sim_month (
  sim_id TEXT NOT NULL,
  month TEXT NOT NULL,
  uplink_bytes BIGINT NOT NULL,
  downlink_bytes BIGINT NOT NULL,
  PRIMARY KEY (sim_id, month)
);

CREATE TABLE network_month (
  network_id TEXT NOT NULL,
  network_kind TEXT NOT NULL,
  month TEXT NOT NULL,
  shard BIGINT NOT NULL,
  uplink_bytes BIGINT NOT NULL,
  downlink_bytes BIGINT NOT NULL,
  PRIMARY KEY (network_id, network_kind, month, shard)
);

-- The recent journal: one row a SIM and five minutes. A job moves what is old enough into one record
-- a SIM and day (ADR 0035).
CREATE TABLE traffic_step (
  sim_id TEXT NOT NULL,
  step BIGINT NOT NULL,
  uplink_bytes BIGINT NOT NULL,
  downlink_bytes BIGINT NOT NULL,
  PRIMARY KEY (sim_id, step)
);

CREATE INDEX traffic_step_by_time ON traffic_step (step, sim_id);

CREATE TABLE traffic_day (
  sim_id TEXT NOT NULL,
  day BIGINT NOT NULL,
  steps TEXT NOT NULL,
  PRIMARY KEY (sim_id, day)
);

CREATE INDEX traffic_day_by_time ON traffic_day (day, sim_id);

-- Devices of the embedded network that live by themselves, as the world says.
CREATE TABLE fleet (
  iccid_from TEXT PRIMARY KEY,
  iccid_to TEXT NOT NULL,
  seed TEXT NOT NULL,
  driven_at BIGINT
);
