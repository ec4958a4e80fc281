CREATE TABLE gateway_dns (
  gateway_id TEXT PRIMARY KEY REFERENCES gateway (id),
  dns_1 TEXT NOT NULL,
  dns_2 TEXT
);

-- In the order in which the caller gave them.
CREATE TABLE sim_route (
  gateway_id TEXT NOT NULL REFERENCES gateway (id),
  position BIGINT NOT NULL,
  sim_id TEXT NOT NULL,
  prefix TEXT NOT NULL,
  PRIMARY KEY (gateway_id, position)
);

CREATE INDEX sim_route_of_sim ON sim_route (gateway_id, sim_id);

-- `noticed_month` is the month (yyyymm, Japan) in which the passed quota has been told.
CREATE TABLE traffic_control (
  gateway_id TEXT PRIMARY KEY REFERENCES gateway (id),
  quota_mb BIGINT NOT NULL,
  auto_shaping BIGINT NOT NULL,
  limit_kbps BIGINT,
  email_enabled BIGINT NOT NULL,
  chat_enabled BIGINT NOT NULL,
  chat_url TEXT NOT NULL,
  noticed_month TEXT
);

-- What was, or has to be, told to the owner of a gateway. It outlives the gateway.
CREATE TABLE gateway_notice (
  id BIGINT PRIMARY KEY,
  account_id TEXT NOT NULL,
  gateway_id TEXT NOT NULL,
  gateway_name TEXT NOT NULL,
  channel TEXT NOT NULL,
  target TEXT,
  month TEXT NOT NULL,
  quota_mb BIGINT NOT NULL,
  used_bytes BIGINT NOT NULL,
  status TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  done_at BIGINT
);

CREATE INDEX gateway_notice_newest ON gateway_notice (created_at, id);
