-- By which the oldest is found when it is to be deleted.
CREATE INDEX sim_month_by_month ON sim_month (month);
CREATE INDEX network_month_by_month ON network_month (month);
CREATE INDEX site_usage_by_day ON site_usage (day);
