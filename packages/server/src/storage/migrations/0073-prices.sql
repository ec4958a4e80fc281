-- Prices of the world, over the built-in list. An empty account is everybody.
CREATE TABLE price (
  product BIGINT NOT NULL,
  account_id TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (product, account_id)
);
