insert into alert_steps (id, incident_id, type, alert_channel_id, alert, due_at) values
  (@reminder@, @open@, 'reminder', @webhook@, '{"type": "monitor.reminder"}', now() + interval '1 hour');
