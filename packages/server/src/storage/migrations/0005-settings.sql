-- Settings of the world that differ from their defaults; the value is JSON.
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
