-- By which transport a message goes, and whether a submit was lost with its answer.
ALTER TABLE sms_message ADD COLUMN transport TEXT NOT NULL DEFAULT 'outbox';
ALTER TABLE sms_message ADD COLUMN uncertain BIGINT NOT NULL DEFAULT 0;

-- What real networks report. Without `message_id`: the answer that tells whose reference it is has yet to come.
CREATE TABLE sms_report (
  serial BIGINT PRIMARY KEY,
  message_id TEXT,
  reference TEXT,
  report_id TEXT NOT NULL,
  status TEXT NOT NULL,
  reported_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL
);

CREATE INDEX sms_report_of_message ON sms_report (message_id, serial);
CREATE INDEX sms_report_early ON sms_report (reference) WHERE message_id IS NULL;

DROP TABLE sms_early_report;
