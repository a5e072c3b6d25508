/** A rule that every database keeps at every commit; `breaches` selects the rows that break it. */
export type Invariant = { rule: string; breaches: string }

/** What escalates and reminds. Policies are as they were when the incidents opened, and so are the rules of people. */
export const escalationInvariants: Invariant[] = [
  {
    rule: 'an open incident escalates until its policy is through',
    breaches: `
      select i.id, i.monitor_id, m.name, p.id as policy
      from incidents i
      join monitors m on m.id = i.monitor_id
      join escalation_policies p
        on p.workspace_id = i.workspace_id
        and (p.id = m.escalation_policy_id or m.escalation_policy_id is null and p.is_default)
      where i.status = 'open'
        and coalesce(m.alert_rules -> 'events' ? 'down', true)
        and not exists (select from alert_steps s where s.incident_id = i.id and s.type = 'escalation')
        and not exists (select from withheld_alerts w where w.incident_id = i.id)
        and not exists (
          select
          from incident_events e
          where e.incident_id = i.id
            and e.type = 'escalated'
            and (e.details ->> 'step')::integer = jsonb_array_length(p.steps)
            and (e.details ->> 'turn')::integer = p.repeats + 1
        )`,
  },
  {
    rule: 'an incident takes each step of its policy once',
    breaches: `
      select incident_id, details ->> 'turn' as turn, details ->> 'step' as step, count(*)
      from incident_events
      where type = 'escalated'
        and details ? 'step'
      group by 1, 2, 3
      having count(*) > 1`,
  },
  {
    rule: 'a contact that wants reminders of an open incident has one step for them',
    breaches: `
      select d.incident_id, d.alert_channel_id, count(s.id)
      from deliveries d
      join incidents i on i.id = d.incident_id
      join alert_channels c on c.id = d.alert_channel_id
      left join alert_steps s
        on s.incident_id = d.incident_id
        and s.alert_channel_id = d.alert_channel_id
        and s.type = 'reminder'
      where d.alert ->> 'type' = 'monitor.down'
        and i.status = 'open'
        and c.alert_rules ? 'remind_every_minutes'
      group by 1, 2
      having count(s.id) <> 1`,
  },
  {
    rule: 'nothing more waits to be told of an incident that ended or was acknowledged',
    breaches: `
      select i.id, i.status, s.type, s.due_at as at
      from incidents i
      join alert_steps s on s.incident_id = i.id
      where i.status <> 'open'
      union all
      select i.id, i.status, d.alert ->> 'type', d.due_at
      from incidents i
      join deliveries d on d.incident_id = i.id
      where i.status <> 'open'
        and d.state = 'pending'
        and d.attempt = 0
        and (d.alert ->> 'type' = 'monitor.reminder' or d.held_until > now())`,
  },
  {
    rule: 'a contact that was not told of an outage is not told of its end',
    breaches: `
      select up.id, up.incident_id, up.alert_channel_id
      from deliveries up
      where up.alert ->> 'type' = 'monitor.up'
        and up.incident_id is not null
        and not exists (
          select
          from deliveries down
          where down.incident_id = up.incident_id
            and down.alert_channel_id = up.alert_channel_id
            and down.alert ->> 'type' = 'monitor.down'
            and down.state <> 'dropped'
        )
        -- It was made, or chose outages, while the outage lasted: nothing was kept from it.
        and exists (
          select
          from deliveries down
          where down.incident_id = up.incident_id
            and down.alert_channel_id = up.alert_channel_id
            and down.state = 'dropped'
        )`,
  },
]
