-- Requests to network elements and their answers; those that wait are in the outbox, too.
CREATE TABLE element_request (id BIGINT PRIMARY KEY, element TEXT NOT NULL, kind TEXT NOT NULL, cause TEXT NOT NULL, sim_id TEXT NOT NULL, session_id BIGINT NOT NULL, acct_session_id TEXT NOT NULL, imsi TEXT NOT NULL, ip BIGINT NOT NULL, bits_per_second BIGINT, state TEXT NOT NULL, error_cause TEXT, reason TEXT, attempts BIGINT NOT NULL, created_at BIGINT NOT NULL, answered_at BIGINT);
CREATE INDEX element_request_of_element ON element_request (element, id);
CREATE INDEX element_request_of_sim ON element_request (sim_id, id);
CREATE INDEX element_request_waiting ON element_request (element) WHERE state = 'waiting';
CREATE INDEX element_request_by_time ON element_request (created_at);
-- The limit that an element was last given for a session; the month in which a gateway began to limit its sessions.
ALTER TABLE session ADD COLUMN bits_per_second BIGINT;
CREATE INDEX session_limited ON session (network_id) WHERE bits_per_second IS NOT NULL;
ALTER TABLE traffic_control ADD COLUMN shaped_month TEXT;
