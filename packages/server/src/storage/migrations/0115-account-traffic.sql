-- Bytes of all SIMs of an account, in steps of five minutes, so that a figure of the whole fleet is one bounded
-- read. A step is spread over rows chosen by the SIM, so that SIMs do not wait for one another.
CREATE TABLE account_step (
  account_id TEXT NOT NULL,
  step BIGINT NOT NULL,
  shard BIGINT NOT NULL,
  uplink_bytes BIGINT NOT NULL,
  downlink_bytes BIGINT NOT NULL,
  PRIMARY KEY (account_id, step, shard)
);

CREATE INDEX account_step_by_time ON account_step (step);

-- What the journal still has of before; packed days cannot be summed by the database.
INSERT INTO account_step (account_id, step, shard, uplink_bytes, downlink_bytes)
SELECT sim.account_id, traffic_step.step, 0, sum(traffic_step.uplink_bytes), sum(traffic_step.downlink_bytes)
FROM traffic_step JOIN sim ON sim.id = traffic_step.sim_id
GROUP BY sim.account_id, traffic_step.step;
