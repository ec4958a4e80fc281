-- Live sessions, at most one a SIM. `id` is the number of the log row that says Created.
CREATE TABLE session (
  sim_id TEXT PRIMARY KEY,
  id BIGINT NOT NULL,
  iccid TEXT NOT NULL,
  imsi TEXT NOT NULL,
  network_kind TEXT NOT NULL,
  network_id TEXT NOT NULL,
  imei TEXT NOT NULL,
  carrier TEXT NOT NULL,
  ip BIGINT NOT NULL,
  ip_fixed BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  uplink_bytes BIGINT NOT NULL,
  downlink_bytes BIGINT NOT NULL,
  counted_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX session_address ON session (network_id, network_kind, ip);
CREATE UNIQUE INDEX session_by_iccid ON session (iccid);

CREATE TABLE session_log (
  id BIGINT PRIMARY KEY,
  sim_id TEXT NOT NULL,
  network_id TEXT NOT NULL,
  event TEXT NOT NULL,
  imei TEXT,
  imsi TEXT NOT NULL,
  logged_at BIGINT NOT NULL
);

CREATE INDEX session_log_of_sim ON session_log (sim_id, id);
CREATE INDEX session_log_of_network ON session_log (network_id, id);
CREATE INDEX session_log_by_time ON session_log (logged_at);

-- Why a device was not let in; the newest few of each card.
CREATE TABLE refusal (
  id BIGINT PRIMARY KEY,
  iccid TEXT NOT NULL,
  imei TEXT NOT NULL,
  carrier TEXT NOT NULL,
  reason TEXT NOT NULL,
  refused_at BIGINT NOT NULL
);

CREATE INDEX refusal_of_card ON refusal (iccid, id);
CREATE INDEX refusal_by_time ON refusal (refused_at);
