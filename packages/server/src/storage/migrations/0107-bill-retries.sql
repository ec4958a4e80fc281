-- Bills that could not be made, and when that is tried again.
CREATE TABLE bill_retry (
  account_id TEXT NOT NULL,
  month BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, month)
);
