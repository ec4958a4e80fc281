-- Only SIMs in a gateway are ever looked for by it: a new SIM is not, and pays for neither.
DROP INDEX sim_address;

DROP INDEX sim_of_gateway;

CREATE UNIQUE INDEX sim_address ON sim (gateway_id, ip) WHERE gateway_id IS NOT NULL;

CREATE INDEX sim_of_gateway ON sim (gateway_id, id) WHERE gateway_id IS NOT NULL;
