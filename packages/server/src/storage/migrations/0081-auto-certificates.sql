-- Sites whose certificate is issued and renewed by itself, and when that is next due.
CREATE TABLE site_auto_certificate (
  site_id TEXT PRIMARY KEY REFERENCES site (id),
  type TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  -- The one that was issued last; NULL while the first is still to come.
  certificate_id TEXT
);

CREATE INDEX site_auto_certificate_by_due ON site_auto_certificate (due_at);

-- The authority that signs them: one for all processes, made when it is first needed.
CREATE TABLE site_authority (
  id BIGINT PRIMARY KEY,
  chain TEXT NOT NULL,
  sealed_key TEXT NOT NULL
);
