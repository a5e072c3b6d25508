import type { ContactStateRecord } from '#core/contacts/delivery.ts'
import { contactLimit } from '#core/contacts/contact-record.ts'
import type { Database } from '#store/database/database.ts'
import { isNamed } from './told-contacts.ts'

/** The state of each contact of a workspace for the console, beside the contact itself; the oldest first. */
export async function listContactStates(
  { pool }: Pick<Database, 'pool'>,
  workspaceId: string,
): Promise<ContactState[]> {
  const found = await pool.query<Row>({
    name: 'list_contact_states',
    text: statement,
    values: [workspaceId, contactLimit],
  })
  return found.rows.map((row) => ({ addressNumber: row.address_number, shown: shownOf(row) }))
}

function shownOf(row: Row): ContactState['shown'] {
  return {
    id: row.id,
    failing_since: row.failing_since?.toISOString() ?? null,
    switched_off_by: row.switched_off_by,
    worked_at: row.worked_at?.toISOString() ?? null,
    confirmation_expires_at: row.confirmation_expires_at?.toISOString() ?? null,
    former_secret_until: row.former_secret_until?.toISOString() ?? null,
    last_delivery:
      row.last_state === null || row.last_at === null
        ? null
        : {
            state: row.last_state,
            at: row.last_at.toISOString(),
            error: row.last_error,
            status_code: row.last_status_code,
          },
    only_contact_of: row.only_contact_of,
    only_contact_of_monitors: row.only_contact_of_monitors,
  }
}

/** What is stored of it. */
export type ContactState = { shown: Omit<ContactStateRecord, 'confirmation_url'>; addressNumber: number }

type Row = {
  id: string
  address_number: number
  failing_since: Date | null
  switched_off_by: ContactStateRecord['switched_off_by']
  worked_at: Date | null
  confirmation_expires_at: Date | null
  former_secret_until: Date | null
  last_state: 'pending' | 'delivered' | 'failed' | null
  last_at: Date | null
  last_error: string | null
  last_status_code: number | null
  only_contact_of: number
  only_contact_of_monitors: { id: string; name: string }[]
}

const statement = `
with alone as (
  select named.ids[1] as id, count(*)::integer as count,
    (array_agg(jsonb_build_object('id', monitor.id, 'name', monitor.name) order by monitor.name, monitor.id))[1:10]
      as monitors
  from monitors as monitor
  cross join lateral (
    select array(
      select channel.id
      from alert_channels as channel
      where channel.workspace_id = monitor.workspace_id
        and ${isNamed}
      limit 2
    ) as ids
  ) as named
  where monitor.workspace_id = $1
    and (cardinality(monitor.alert_channel_ids) = 1 or monitor.alert_channel_tags <> '{}')
    and cardinality(named.ids) = 1
  group by 1
)
select
  c.id, c.address_number, c.failing_since, c.switched_off_by, c.worked_at, c.confirmation_expires_at,
  case when c.former_secret_until > now() then c.former_secret_until end as former_secret_until,
  last.state as last_state, last.at as last_at, last.error as last_error, last.status_code as last_status_code,
  coalesce(alone.count, 0) as only_contact_of,
  coalesce(alone.monitors, '{}') as only_contact_of_monitors
from alert_channels c
left join alone on alone.id = c.id
left join lateral (
  select state, coalesce(ended_at, created_at) as at, error, status_code
  from deliveries
  where alert_channel_id = c.id
    and state <> 'dropped'
  order by created_at desc, id desc
  limit 1
) as last on true
where c.workspace_id = $1
order by c.created_at, c.id
limit $2`
