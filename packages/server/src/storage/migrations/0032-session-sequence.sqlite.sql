INSERT INTO sequence (name, next) VALUES ('session', 1);
