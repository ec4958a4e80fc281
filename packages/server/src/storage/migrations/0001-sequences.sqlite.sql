-- Numbers that are counted up and never given out twice (decisions.md, Ids).
CREATE TABLE sequence (
  name TEXT PRIMARY KEY,
  next BIGINT NOT NULL
);

INSERT INTO sequence (name, next) VALUES ('resource', 910000000000), ('outbox', 1);
