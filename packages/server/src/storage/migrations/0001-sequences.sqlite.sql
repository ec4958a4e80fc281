-- Numbers that are counted up and never given out twice (ADR 0009).
CREATE TABLE sequence (
  name TEXT PRIMARY KEY,
  next BIGINT NOT NULL
);

INSERT INTO sequence (name, next) VALUES ('resource', 910000000000), ('outbox', 1);
