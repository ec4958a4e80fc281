-- What accounts have used, as it is billed (ADR 0100). Times are epoch milliseconds, a month is the
-- moment at which it begins in Japan, a product is its ServiceClassID.

-- The name that a bill shows: the last one that the resource had, kept when it is gone.
CREATE TABLE metered_resource (
  resource_id TEXT PRIMARY KEY,
  name TEXT NOT NULL
);

-- Used over time; `to_at` is NULL while the use goes on.
CREATE TABLE usage_span (
  account_id TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  product BIGINT NOT NULL,
  from_at BIGINT NOT NULL,
  to_at BIGINT,
  PRIMARY KEY (account_id, resource_id, product, from_at)
);

CREATE UNIQUE INDEX usage_span_open ON usage_span (resource_id, product) WHERE to_at IS NULL;
CREATE INDEX usage_span_ended ON usage_span (to_at, from_at);

-- Used in pieces. `event` is what makes a record the only one of its kind: the id of a message, or the
-- month for bytes, which are summed in one record a month.
CREATE TABLE usage_count (
  resource_id TEXT NOT NULL,
  product BIGINT NOT NULL,
  event TEXT NOT NULL,
  account_id TEXT NOT NULL,
  month BIGINT NOT NULL,
  quantity BIGINT NOT NULL,
  from_at BIGINT NOT NULL,
  to_at BIGINT NOT NULL,
  PRIMARY KEY (resource_id, product, event)
);

CREATE INDEX usage_count_of_account ON usage_count (account_id, month, resource_id, product);
CREATE INDEX usage_count_by_month ON usage_count (month);

-- One row: how far usage has become bills. Nothing is counted before `open_month` any more.
CREATE TABLE usage_period (
  id BIGINT PRIMARY KEY,
  open_month BIGINT NOT NULL,
  closing_month BIGINT,
  billed_until BIGINT NOT NULL
);

-- What was in use before there were meters.
INSERT INTO usage_span (account_id, resource_id, product, from_at, to_at)
SELECT account_id, id, 50010, activated_at, NULL FROM sim WHERE activated = 1;

INSERT INTO usage_span (account_id, resource_id, product, from_at, to_at)
SELECT account_id, id,
  CASE zone WHEN 'is1a' THEN 50060 WHEN 'is1b' THEN 50061 WHEN 'tk1a' THEN 50062
            WHEN 'tk1v' THEN 50063 ELSE 50064 END,
  created_at, NULL FROM gateway;

INSERT INTO metered_resource (resource_id, name)
SELECT item.id, item.name FROM item JOIN sim ON sim.id = item.id WHERE sim.activated = 1;

INSERT INTO metered_resource (resource_id, name) SELECT id, name FROM gateway;
