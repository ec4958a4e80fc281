-- Elements of real networks. Their counters are spread over rows, so that packets do not wait for one another.
CREATE TABLE network_element (name TEXT PRIMARY KEY, address TEXT NOT NULL UNIQUE, secret TEXT NOT NULL, carriers TEXT NOT NULL, coa_port BIGINT NOT NULL);
CREATE TABLE network_element_count (element TEXT NOT NULL, shard BIGINT NOT NULL, seen_at BIGINT NOT NULL, accepted BIGINT NOT NULL, refused BIGINT NOT NULL, packets BIGINT NOT NULL, PRIMARY KEY (element, shard));
-- Whose session it is, by which name, and when that element was last heard of it; empty for other devices.
ALTER TABLE session ADD COLUMN element TEXT;
ALTER TABLE session ADD COLUMN acct_session_id TEXT;
ALTER TABLE session ADD COLUMN seen_at BIGINT;
CREATE INDEX session_of_element ON session (element, acct_session_id);
CREATE INDEX session_by_seen ON session (seen_at);
ALTER TABLE refusal ADD COLUMN element TEXT;
