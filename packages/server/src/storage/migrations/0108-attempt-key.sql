-- One row an attempt, by a key: an attempt cannot be recorded twice, and a snapshot can be taken in pages.
CREATE TABLE iot_attempt_keyed (
  delivery_id BIGINT NOT NULL,
  place BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  response_code BIGINT,
  at BIGINT NOT NULL,
  PRIMARY KEY (delivery_id, place)
);

INSERT INTO iot_attempt_keyed (delivery_id, place, outcome, response_code, at)
SELECT delivery_id, place, outcome, response_code, at
FROM (SELECT delivery_id, place, outcome, response_code, at,
        row_number() OVER (PARTITION BY delivery_id, place ORDER BY at) AS copy
      FROM iot_attempt) AS numbered
WHERE copy = 1;

DROP TABLE iot_attempt;

ALTER TABLE iot_attempt_keyed RENAME TO iot_attempt;
