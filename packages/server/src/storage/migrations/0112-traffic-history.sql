-- The past of simulated devices, which is a function of the seed, the card and the step: a row says whose and
-- from when until when, and readers compute the steps. Months are summed in sim_month and network_month.
CREATE TABLE traffic_history (
  sim_id TEXT PRIMARY KEY,
  iccid TEXT NOT NULL,
  seed TEXT NOT NULL,
  network_id TEXT NOT NULL,
  network_kind TEXT NOT NULL,
  from_step BIGINT NOT NULL,
  until_step BIGINT NOT NULL
);

CREATE INDEX traffic_history_by_network ON traffic_history (network_id, network_kind);
