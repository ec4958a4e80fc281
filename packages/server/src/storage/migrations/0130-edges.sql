-- What edges are to know, counted in the order of commits. Events up to `forgotten` are gone.
CREATE TABLE edge_feed (id BIGINT PRIMARY KEY, version BIGINT NOT NULL, forgotten BIGINT NOT NULL);
INSERT INTO edge_feed (id, version, forgotten) VALUES (1, 0, 0);
ALTER TABLE site ADD COLUMN edge_version BIGINT NOT NULL DEFAULT 0;
CREATE INDEX site_by_edge_version ON site (edge_version);
-- Purges, removed sites and probes; the answers of edges to probes.
CREATE TABLE edge_event (version BIGINT PRIMARY KEY, kind TEXT NOT NULL, site_id TEXT NOT NULL, detail TEXT, at BIGINT NOT NULL);
CREATE INDEX edge_event_by_time ON edge_event (at);
CREATE TABLE edge_answer (version BIGINT NOT NULL, edge_id TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (version, edge_id));
CREATE TABLE edge (id TEXT PRIMARY KEY, name TEXT NOT NULL, is_remote BIGINT NOT NULL, engine TEXT NOT NULL, software_version TEXT NOT NULL, started_at BIGINT NOT NULL, seen_at BIGINT NOT NULL, applied_version BIGINT NOT NULL, cache_bytes BIGINT NOT NULL, cache_objects BIGINT NOT NULL, hits BIGINT NOT NULL, misses BIGINT NOT NULL, last_sequence BIGINT NOT NULL);
-- Unknown where only months were declared; by hour for charts.
ALTER TABLE site_usage ADD COLUMN hit_count BIGINT;
CREATE TABLE site_hour (site_id TEXT NOT NULL REFERENCES site (id), hour BIGINT NOT NULL, access_count BIGINT NOT NULL, hit_count BIGINT NOT NULL, bytes_sent BIGINT NOT NULL, cache_miss_bytes_sent BIGINT NOT NULL, PRIMARY KEY (site_id, hour));
