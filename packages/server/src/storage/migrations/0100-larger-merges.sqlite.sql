-- Pieces of the index are put together when there are more of them: each creation pays for less of it, and a
-- search looks at a few pieces more.
INSERT INTO item_text (item_text, rank) VALUES ('automerge', 8);

INSERT INTO item_text (item_text, rank) VALUES ('crisismerge', 32);
