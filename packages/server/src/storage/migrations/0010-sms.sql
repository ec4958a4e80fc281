-- Messages as the log shows them. `sealed` holds one-time password and text under the key-encryption
-- key and is emptied after the retention time. No reference to the item: what was sent is still
-- delivered after its item is gone.
CREATE TABLE sms_message (
  id TEXT PRIMARY KEY,
  serial BIGINT NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  item_id TEXT NOT NULL,
  destination TEXT NOT NULL,
  encoding TEXT NOT NULL,
  segments BIGINT NOT NULL,
  sealed TEXT,
  status TEXT NOT NULL,
  retry_count BIGINT NOT NULL,
  reference TEXT,
  sent_at BIGINT NOT NULL,
  done_at BIGINT,
  expires_at BIGINT NOT NULL
);

CREATE INDEX sms_message_log ON sms_message (account_id, item_id, sent_at, serial);
CREATE INDEX sms_message_to ON sms_message (account_id, destination, sent_at);
CREATE INDEX sms_message_of_account ON sms_message (account_id, sent_at);
CREATE INDEX sms_message_newest ON sms_message (sent_at, serial);
CREATE INDEX sms_message_by_reference ON sms_message (reference);
CREATE INDEX sms_message_waiting ON sms_message (expires_at) WHERE status = 'Accepted';
CREATE INDEX sms_message_sealed ON sms_message (sent_at) WHERE sealed IS NOT NULL;

-- Reports that came before the answer to the submit that they are about (docs/adr/0052).
CREATE TABLE sms_early_report (
  reference TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  reported_at BIGINT NOT NULL
);

-- The embedded network: what it has taken over, and what it will report when (never, without `due_at`).
-- A row that is reported stays for a while, so that a repeat of its message is recognised.
CREATE TABLE sms_network_message (
  reference TEXT PRIMARY KEY,
  status TEXT,
  due_at BIGINT,
  reported BIGINT NOT NULL,
  taken_at BIGINT NOT NULL
);

CREATE INDEX sms_network_message_due ON sms_network_message (due_at, reference) WHERE reported = 0;
CREATE INDEX sms_network_message_taken ON sms_network_message (taken_at);
