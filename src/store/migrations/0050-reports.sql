-- compatible_from: 1

create table reports (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  period text not null check (period in ('weekly', 'monthly')),
  time_zone text not null,
  weekday smallint not null check (weekday between 1 and 7),
  hour smallint not null check (hour between 0 and 23),
  -- Whether it is about the monitors of report_monitors and of its tags; otherwise, and without tags, about all.
  names_monitors boolean not null,
  tags text[] not null,
  -- In percent.
  objective numeric(6, 3) not null,
  -- When the next one leaves; null while the report is off.
  due_at timestamptz,
  -- The period of the one that left last, such as 2026-W47, and when it left.
  sent_period text,
  sent_at timestamptz,
  -- When a person last had it sent as a test.
  tested_at timestamptz,
  created_at timestamptz not null
);
create index reports_of_workspace on reports (workspace_id, created_at, id);
create index reports_due on reports (due_at) where due_at is not null;

create table report_monitors (
  report_id uuid not null references reports on delete cascade,
  monitor_key bigint not null references monitors (key) on delete cascade,
  primary key (report_id, monitor_key)
);
create index report_monitors_by_monitor on report_monitors (monitor_key);

create table report_recipients (
  report_id uuid not null references reports on delete cascade,
  alert_channel_id uuid not null references alert_channels on delete cascade,
  primary key (report_id, alert_channel_id)
);
create index report_recipients_by_contact on report_recipients (alert_channel_id);
