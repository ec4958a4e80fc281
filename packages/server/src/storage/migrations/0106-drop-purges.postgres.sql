-- Nobody ever read them: what deletes from caches will bring a table of its own.
DROP TABLE site_purge;
DROP SEQUENCE purge_sequence;
