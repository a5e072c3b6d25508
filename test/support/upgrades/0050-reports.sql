insert into reports (
  id, workspace_id, name, period, time_zone, weekday, hour, names_monitors, tags, objective, created_at
) values
  (@report@, @workspace@, 'Week', 'weekly', 'UTC', 1, 8, true, '{}', 99.9, now());
insert into report_monitors (report_id, monitor_key) select @report@, key from monitors where id = @shop@;
insert into report_recipients (report_id, alert_channel_id) values (@report@, @mail@);
