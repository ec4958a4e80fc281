-- Each lease of a job has a number, so that a run that lost its lease cannot end another's.
ALTER TABLE job ADD COLUMN lease BIGINT NOT NULL DEFAULT 0;
