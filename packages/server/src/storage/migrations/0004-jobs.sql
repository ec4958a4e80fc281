-- Effects on the world, written in the transaction that causes them and carried out by jobs.
CREATE TABLE outbox (
  id BIGINT PRIMARY KEY,
  topic TEXT NOT NULL,
  payload TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE INDEX outbox_due ON outbox (topic, due_at, id);

-- One run of a job at a time, across processes, and what came of the last one.
CREATE TABLE job (
  name TEXT PRIMARY KEY,
  owner TEXT,
  leased_until BIGINT NOT NULL,
  started_at BIGINT,
  finished_at BIGINT,
  outcome TEXT,
  summary TEXT,
  runs BIGINT NOT NULL,
  failures BIGINT NOT NULL
);
