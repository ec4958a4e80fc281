-- Bytes through each interface of a gateway, in steps of five minutes. A step is spread over rows chosen
-- by the SIM, so that the SIMs of a gateway do not wait for one another.
CREATE TABLE gateway_step (
  gateway_id TEXT NOT NULL,
  interface BIGINT NOT NULL,
  step BIGINT NOT NULL,
  shard BIGINT NOT NULL,
  send_bytes BIGINT NOT NULL,
  receive_bytes BIGINT NOT NULL,
  PRIMARY KEY (gateway_id, interface, step, shard)
);

CREATE INDEX gateway_step_by_time ON gateway_step (step);
