INSERT INTO sequence (name, next) VALUES ('bill', 10000001);
