-- What a repeat of a device's message is recognised by: a hash of its session, packet id and content.
ALTER TABLE iot_message ADD COLUMN receipt TEXT;
CREATE INDEX iot_message_receipt ON iot_message (receipt) WHERE receipt IS NOT NULL;
