INSERT INTO sequence (name, next) VALUES ('purge', 1);
