CREATE TABLE maintenance (
  id TEXT PRIMARY KEY,
  zone TEXT NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  title TEXT NOT NULL,
  info_url TEXT NOT NULL,
  service TEXT NOT NULL
);

CREATE INDEX maintenance_by_time ON maintenance (start_at, id);

CREATE TABLE maintenance_resource (
  maintenance_id TEXT NOT NULL REFERENCES maintenance (id),
  account_id TEXT NOT NULL REFERENCES account (id),
  resource_class TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  PRIMARY KEY (maintenance_id, account_id, resource_class, resource_id)
);

CREATE INDEX maintenance_of_account ON maintenance_resource (account_id, maintenance_id);
