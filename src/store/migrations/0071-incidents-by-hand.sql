-- compatible_from: 1

-- Incidents that a person or a program made: checks neither open nor resolve them, and a monitor that is down may have
-- one beside that of its checks.
alter table incidents add column by_hand boolean not null default false;
create unique index one_incident_of_checks on incidents (monitor_id) where status <> 'resolved' and not by_hand;
create index running_incidents on incidents (monitor_id) where status <> 'resolved';
create index running_by_hand on incidents (workspace_id) where status <> 'resolved' and by_hand;
drop index one_running_incident;

-- The story of an incident for readers, written once it is over.
alter table status_posts drop constraint status_posts_state_check;
alter table status_posts add constraint status_posts_state_check
  check (state in ('investigating', 'identified', 'monitoring', 'resolved', 'postmortem'))
  not valid;
