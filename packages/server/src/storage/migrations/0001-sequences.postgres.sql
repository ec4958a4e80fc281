-- A sequence hands out numbers without making concurrent creations collide.
CREATE SEQUENCE resource_sequence AS BIGINT START WITH 910000000000;

CREATE SEQUENCE outbox_sequence AS BIGINT START WITH 1;
