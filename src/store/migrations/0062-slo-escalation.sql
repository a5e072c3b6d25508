-- compatible_from: 1

-- Objectives name the policy whose steps tell their alarms, and an alarm can be acknowledged.
alter table slos add column escalation_policy_id uuid references escalation_policies on delete set null;
create index slos_by_policy on slos (escalation_policy_id) where escalation_policy_id is not null;

alter table slos
  add column alarm_acknowledged_at timestamptz,
  add column alarm_acknowledged_by text,
  -- The policy with which the alarm began, also after that was deleted.
  add column alarm_policy_id uuid,
  -- Its next step: `alarm_step` and `alarm_turn` count from 0. No step waits where there is no time.
  add column alarm_step integer not null default 0,
  add column alarm_turn integer not null default 0,
  add column alarm_step_at timestamptz,
  add constraint slos_alarm_acknowledged
    check ((alarm_acknowledged_at is null) = (alarm_acknowledged_by is null)),
  add constraint slos_alarm_step
    check (alarm_step_at is null or alarm_policy_id is not null and alarm_acknowledged_at is null);
