-- By what a network element names a SIM, and the sessions of elements that are over: a late packet finds them here.
ALTER TABLE sim_card ADD COLUMN msisdn TEXT;
CREATE INDEX sim_card_by_msisdn ON sim_card (msisdn);
CREATE TABLE ended_session (element TEXT NOT NULL, acct_session_id TEXT NOT NULL, sim_id TEXT NOT NULL, imei TEXT NOT NULL, carrier TEXT NOT NULL, ip BIGINT, network_kind TEXT, network_id TEXT, uplink_bytes BIGINT NOT NULL, downlink_bytes BIGINT NOT NULL, ended_at BIGINT NOT NULL, cause TEXT NOT NULL, PRIMARY KEY (element, acct_session_id, sim_id));
CREATE INDEX ended_session_by_time ON ended_session (ended_at);
CREATE TABLE sim_imsi (imsi TEXT NOT NULL, sim_id TEXT NOT NULL, PRIMARY KEY (imsi, sim_id));
INSERT INTO sim_imsi (imsi, sim_id) WITH RECURSIVE part (sim_id, imsi, rest) AS (SELECT id, substr(imsis, 1, 0), imsis FROM sim UNION ALL SELECT sim_id, substr(rest, 1, length(rest) - length(ltrim(rest, '0123456789'))), substr(ltrim(rest, '0123456789'), 2) FROM part WHERE rest <> '') SELECT DISTINCT imsi, sim_id FROM part WHERE imsi <> '';
