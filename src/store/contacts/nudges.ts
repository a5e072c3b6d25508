// Jobs that remind of deliveries: a delivery is its own record of what is left to do.
import type pg from 'pg'
import { laneOfContact } from './lanes.ts'

/** The priority of jobs for contacts that fail: they come after others. */
export const failingLast = 1

/**
 * Adds a job for each of these deliveries, to run once it is due; a job that waits already keeps its place. Jobs of
 * contacts that fail come after jobs of contacts that work.
 */
export async function nudgeDeliveries(client: pg.Pool | pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await client.query({ name: 'nudge_deliveries', text: nudgeStatement, values: [ids] })
}

const nudgeStatement = `
select count(*)
from graphile_worker.add_jobs(
  specs => array(
    select row(
      'deliver',
      json_build_object('delivery_id', delivery.id),
      null,
      delivery.due_at,
      3,
      'deliver:' || delivery.id,
      case when channel.failing_since is null then 0 else ${failingLast} end,
      array[${laneOfContact('channel')}]
    )::graphile_worker.job_spec
    from deliveries as delivery
    join alert_channels as channel on channel.id = delivery.alert_channel_id
    where delivery.id = any($1::uuid[])
    -- Two who nudge the same deliveries wait for each other, whatever the order in which they know them.
    order by delivery.id
  ),
  job_key_preserve_run_at => true
)`
