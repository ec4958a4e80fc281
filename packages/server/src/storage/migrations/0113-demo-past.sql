-- A demo world whose past is still to be added, and when it was created: at most one row.
CREATE TABLE demo_past (
  id BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL
);
