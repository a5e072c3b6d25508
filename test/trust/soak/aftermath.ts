// What a service has stored at the end of a soak, beside what its target and receivers saw.
import type { Database } from '#store/database/database.ts'
import type { Arrival } from './stand-ins.ts'
import { comparedResults, judgeDeliveries, judgeIncidents, type StoredDelivery, type StoredIncident } from './judge.ts'
import type { Seen } from './witness.ts'

export type Aftermath = {
  findings: string[]
  lost: number
  results: number
  repeats: number
  incidents: number
  deliveries: number
  /** Attempts that a receiver refused, so that they were made again. */
  refused: number
}

type Of = {
  database: Database
  /** Ids of monitors, in the order of their numbers. */
  ids: readonly string[]
  contacts: readonly string[]
  seen: readonly Seen[]
  /** What the receivers saw; asked last, when nothing is on its way. */
  arrivals: readonly Arrival[]
}

export async function judgeAftermath({ database, ids, contacts, seen, arrivals }: Of): Promise<Aftermath> {
  const stored = await storedResults(database, { ids, seen })
  const compared = comparedResults(seen, stored)
  const incidents = await storedIncidents(database, ids)
  const deliveries = await storedDeliveries(database)
  const rejected = await database.pool.query('select reason, result from rejected_results limit 10')
  const findings = [
    ...(compared.lost > 0 ? [`${compared.lost} results are lost; the first: ${compared.first}.`] : []),
    ...(compared.unasked > 0 ? [`${compared.unasked} results are of no request; the first: ${compared.first}.`] : []),
    ...rejected.rows.map((row) => `A result was set aside: ${JSON.stringify(row)}.`),
    ...judgeIncidents(seen, incidents),
    ...judgeDeliveries({ incidents, contacts }, deliveries, arrivals),
  ]
  return {
    findings,
    lost: compared.lost,
    results: stored.reduce((sum, count) => sum + count, 0),
    repeats: seen.reduce((sum, { repeats }) => sum + repeats, 0),
    incidents: incidents.length,
    deliveries: deliveries.length,
    refused: arrivals.reduce((sum, { refused }) => sum + refused, 0),
  }
}

/** How many alerts have not ended. */
export async function pendingDeliveries({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from deliveries where state = 'pending'`,
  )
  return rows[0]?.count ?? 0
}

/** Up to the last request that the target saw of each: the round of the next one is later. */
async function storedResults(
  database: Database,
  { ids, seen }: { ids: readonly string[]; seen: readonly Seen[] },
): Promise<number[]> {
  const { rows } = await database.transaction(async ({ client }) => {
    // Millions of rows are read.
    await client.query(`set local statement_timeout = '10min'`)
    return client.query<{ id: string; count: number }>(
      `select m.id, coalesce(sum(r.repeats), 0)::integer as count
      from unnest($1::uuid[], $2::double precision[]) as seen (id, last_at)
      join monitors m on m.id = seen.id
      left join results r on r.monitor_key = m.key and r.round_at <= to_timestamp(seen.last_at / 1000)
      group by m.id`,
      [ids, seen.map(({ lastAt }) => lastAt)],
    )
  })
  const counts = new Map(rows.map(({ id, count }) => [id, count]))
  return ids.map((id) => counts.get(id) ?? 0)
}

async function storedIncidents({ pool }: Database, ids: readonly string[]): Promise<StoredIncident[]> {
  const numbers = new Map(ids.map((id, number) => [id, number]))
  const { rows } = await pool.query<{ id: string; monitor_id: string; started_at: Date; resolved_at: Date | null }>(
    'select id, monitor_id, started_at, resolved_at from incidents order by started_at, id',
  )
  return rows.map((row) => ({
    id: row.id,
    monitor: numbers.get(row.monitor_id) ?? -1,
    startedAt: row.started_at.getTime(),
    resolvedAt: row.resolved_at?.getTime() ?? null,
  }))
}

async function storedDeliveries({ pool }: Database): Promise<StoredDelivery[]> {
  const { rows } = await pool.query<StoredDelivery>(
    `select d.id, d.incident_id as incident, c.name as contact, d.alert ->> 'type' as type, d.state
    from deliveries d
    join alert_channels c on c.id = d.alert_channel_id`,
  )
  return rows
}
