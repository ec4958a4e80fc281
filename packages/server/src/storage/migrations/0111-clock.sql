-- One row: what the clock showed at a time of the machine. `setting` is the --clock of the start, as JSON.
CREATE TABLE clock (
  id BIGINT PRIMARY KEY,
  mode TEXT NOT NULL,
  scale DOUBLE PRECISION NOT NULL,
  shown_at BIGINT NOT NULL,
  machine_at BIGINT NOT NULL,
  setting TEXT
);
