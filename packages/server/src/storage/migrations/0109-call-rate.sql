-- One row an account (services/webaccel/call-rate-rules.ts). The calls of the hour before are forgotten.
DROP TABLE rate_slot;
CREATE TABLE call_rate (account_id TEXT PRIMARY KEY, arrival_us BIGINT NOT NULL);
