-- By which the oldest is found when it is to be deleted.
CREATE INDEX site_hour_by_time ON site_hour (hour);
