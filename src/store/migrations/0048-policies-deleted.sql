-- compatible_from: 1

-- A policy that is deleted leaves its steps, so that the outages that it was telling do not go silent.
alter table alert_steps drop constraint alert_steps_policy_id_fkey;
alter table alert_steps add constraint alert_steps_policy_id_fkey
  foreign key (policy_id) references escalation_policies on delete set null;
-- The name of the policy, once it was deleted.
alter table alert_steps add column ended_policy text;
