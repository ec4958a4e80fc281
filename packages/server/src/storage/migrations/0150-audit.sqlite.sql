-- The audit trail: a row is only inserted, numbered once by the job that chains it, and deleted with all before it.
CREATE TABLE audit (id INTEGER PRIMARY KEY, at BIGINT NOT NULL, caller TEXT NOT NULL, account TEXT, address TEXT NOT NULL, client TEXT, operation TEXT NOT NULL, target TEXT NOT NULL, status BIGINT NOT NULL, code TEXT, serial TEXT NOT NULL, chain_number BIGINT, hash TEXT);
-- Rows that are not numbered yet are found by it, too.
CREATE UNIQUE INDEX audit_by_number ON audit (chain_number);
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_of_account ON audit (account, at);
-- Where the chain begins (the last row that was deleted) and ends.
CREATE TABLE audit_chain (id BIGINT PRIMARY KEY, first_number BIGINT NOT NULL, first_hash TEXT NOT NULL, last_number BIGINT NOT NULL, last_hash TEXT NOT NULL);
