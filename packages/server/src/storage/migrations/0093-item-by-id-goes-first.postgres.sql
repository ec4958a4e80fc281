-- For a table that was never analysed all indexes that begin with the account look alike, and of those the engine
-- takes the youngest: it read every item of the account to find one by its id, until its statistics came.
DROP INDEX item_by_id;

CREATE INDEX item_by_id ON item (account_id, id);
