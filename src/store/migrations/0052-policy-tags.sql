-- compatible_from: 1

-- Monitors that have one of these tags and name no policy are escalated by it.
alter table escalation_policies add column tags text[] not null default '{}';
