-- Bills by account and month of use. Those that a world file gave stand beside our own.
CREATE TABLE bill (
  id BIGINT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  month BIGINT NOT NULL,
  member_code TEXT NOT NULL,
  payment_class_id BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  state TEXT NOT NULL,
  pay_limit BIGINT NOT NULL,
  is_given BIGINT NOT NULL
);

CREATE UNIQUE INDEX bill_of_month ON bill (account_id, month) WHERE is_given = 0;
CREATE INDEX bill_of_account ON bill (account_id, month, id);

-- A line keeps all that the CSV shows, so that later prices and names do not change old bills.
CREATE TABLE bill_detail (
  bill_id BIGINT NOT NULL REFERENCES bill (id),
  place BIGINT NOT NULL,
  resource_id TEXT NOT NULL,
  resource_name TEXT NOT NULL,
  product BIGINT NOT NULL,
  product_name TEXT NOT NULL,
  zone TEXT,
  measure TEXT NOT NULL,
  used BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  PRIMARY KEY (bill_id, place)
);
