-- Where an account gets its notices, and in which language; both or neither.
ALTER TABLE account ADD COLUMN contact_email TEXT;
ALTER TABLE account ADD COLUMN contact_language TEXT;

-- Of notices by mail: the language, the Message-ID (the same for every attempt) and why the last one failed.
ALTER TABLE gateway_notice ADD COLUMN language TEXT;
ALTER TABLE gateway_notice ADD COLUMN message_id TEXT;
ALTER TABLE gateway_notice ADD COLUMN reason TEXT;
