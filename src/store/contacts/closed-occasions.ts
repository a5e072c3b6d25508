// The end of what is over without a recovery, for contacts that would show it as running for ever.
import { statefulKindNames } from '#core/contacts/contact-kinds.ts'
import type { Transaction } from '#store/database/database.ts'
import { isChosen } from './held-alerts.ts'
import { nudgeDeliveries } from './nudges.ts'

/** An incident or an episode that is over without a recovery; `reason` is a sentence. */
export type Closing = { id: string; type: 'incident' | 'episode'; at: Date; reason: string }

/**
 * Writes an end for every contact that was told of the beginning and keeps it as an alert of its own, and for no others.
 * Called in the transaction that ends the incidents and episodes, and before their monitors are deleted.
 */
export async function tellClosed({ client }: Transaction, closings: readonly Closing[]): Promise<void> {
  if (closings.length === 0) return
  const { rows } = await client.query<{ id: string }>({
    name: 'tell_closed',
    text: closeStatement,
    values: [
      JSON.stringify(closings.map(({ at, ...rest }) => ({ ...rest, at, ended: at.toISOString() }))),
      statefulKindNames,
    ],
  })
  await nudgeDeliveries(
    client,
    rows.map(({ id }) => id),
  )
}

// A contact that is locked is being deleted, and its deletion may wait for the monitors that are held here.
const closeStatement = `
with closing as materialized (
  select *
  from jsonb_to_recordset($1::jsonb) as closing (id uuid, type text, at timestamptz, reason text, ended text)
), told as materialized (
  select
    closing.*, channel.id as channel_id, beginning.id as beginning_id, beginning.workspace_id, beginning.alert,
    beginning.event, beginning.ending
  from closing
  join lateral (
    select distinct on (delivery.alert_channel_id)
      delivery.id, delivery.workspace_id, delivery.alert_channel_id, delivery.alert,
      case delivery.alert ->> 'type'
        when 'monitor.degraded' then 'degraded'
        when 'monitor.slow' then 'slow'
        else 'up'
      end as event,
      case delivery.alert ->> 'type'
        when 'monitor.degraded' then 'monitor.degraded_ended'
        when 'monitor.slow' then 'monitor.slow_ended'
        when 'monitor.unstable' then 'monitor.unstable_ended'
        else 'monitor.up'
      end as ending
    from deliveries as delivery
    where (
        closing.type = 'incident' and delivery.incident_id = closing.id
        or closing.type = 'episode' and delivery.episode_id = closing.id
      )
      and delivery.state <> 'dropped'
    order by delivery.alert_channel_id, delivery.created_at desc, delivery.id
  ) as beginning on true
  join alert_channels as channel on channel.id = beginning.alert_channel_id
  join monitors as monitor on monitor.id = (beginning.alert #>> '{data,monitor,id}')::uuid
  where channel.kind = any($2::text[])
    and channel.enabled
    and channel.confirmed
    and ${isChosen('beginning.event')}
  for key share of channel skip locked
)
insert into deliveries
  (id, workspace_id, alert_channel_id, incident_id, episode_id, alert, due_at, after_id, created_at)
select
  gen_random_uuid(), told.workspace_id, told.channel_id,
  case told.type when 'incident' then told.id end,
  case told.type when 'episode' then told.id end,
  jsonb_build_object(
    'type', told.ending,
    'timestamp', told.ended,
    'data', told.alert -> 'data' || jsonb_build_object('closed', told.reason) || case told.type
      when 'incident' then jsonb_build_object(
        'incident',
        told.alert #> '{data,incident}' || jsonb_build_object('status', 'resolved', 'resolved_at', told.ended)
      )
      else jsonb_build_object('episode', told.alert #> '{data,episode}' || jsonb_build_object('ended_at', told.ended))
    end
  ),
  now(), told.beginning_id, told.at
from told
returning id`
