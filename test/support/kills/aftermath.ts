import assert from 'node:assert/strict'
import { z } from 'zod'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import type { Database } from '#store/database/database.ts'
import { assertConsistent } from '../consistency.ts'
import type { Received } from '../receiver.ts'
import { assertRefolds } from '../refold.ts'
import { assertCalls } from './aftermath-calls.ts'
import { toldFirst } from './bench.ts'
import type { Called } from './callers.ts'
import type { FlippingTarget } from './flipping-target.ts'
import { type Ledger, writtenOf } from './writers.ts'

const alertSchema = z.looseObject({
  type: z.enum(['monitor.down', 'monitor.reminder', 'monitor.up']),
  data: z.looseObject({ incident: z.looseObject({ id: z.string(), started_at: z.string() }) }),
})

export type Witnesses = {
  /**
   * The share of the target's requests that must be stored as results. While the service lives, only checks that a
   * stall repeated may be missing.
   */
  leastStored: number
  /** Sum of what each life of the service had counted when it was last asked. */
  storedAtLeast: number
  received: readonly Received[]
  requests: FlippingTarget['requests']
  ledger: Ledger
  called: readonly Called[]
}

/** Every write that the API answered with 2xx is there as it was answered last, and nothing else is. */
export function assertWritten(listed: readonly MonitorRecord[], of: { loaded: Set<string>; ledger: Ledger }): void {
  const written = listed.filter(({ id }) => !of.loaded.has(id))
  assert.deepEqual(new Map(written.map((record) => [record.id, writtenOf(record)])), of.ledger.monitors)
  assert.equal(listed.length - written.length, of.loaded.size)
}

export type Tally = Record<'results' | 'calls' | 'rounds' | 'incidents' | 'deliveries' | 'received', number> & Steps

/** Checks after crashes that the data is whole, as far as a client outside the service can see. */
export async function assertNothingLostOrDoubled(database: Database, witnesses: Witnesses): Promise<Tally> {
  await assertConsistent(database)
  const rounds = await assertRefolds(database.pool)
  const calls = await assertCalls(database, witnesses.called)
  const results = await assertResults(database, witnesses, calls)
  const incidents = await assertAlerts(database)
  const deliveries = await assertReceived(database, witnesses.received)
  await assertAcknowledged(database, witnesses.ledger)
  const steps = await readSteps(database)
  return { results, calls, rounds, incidents, deliveries, received: witnesses.received.length, ...steps }
}

type Steps = Record<'escalated' | 'reminders' | 'dropped', number>

/** How often what the policy and the rules of contacts bring about has come. */
async function readSteps({ pool }: Database): Promise<Steps> {
  const { rows } = await pool.query<Steps>(
    `select
      (
        select count(*)::integer from incident_events where type = 'escalated' and details ->> 'step' = '2'
      ) as escalated,
      count(*) filter (where alert ->> 'type' = 'monitor.reminder' and state = 'delivered')::integer as reminders,
      count(*) filter (where state = 'dropped')::integer as dropped
    from deliveries`,
  )
  return rows[0] ?? assert.fail()
}

/** No fewer results than the service had counted as stored, and never more than the target was asked. */
async function assertResults({ pool }: Database, witnesses: Witnesses, calls: number): Promise<number> {
  const { leastStored, storedAtLeast, requests, ledger } = witnesses
  const { rows } = await pool.query<{ url: string; stored: number; answered: number }>(
    `select
      m.url, count(r.status)::integer as stored, count(r.status_code)::integer as answered
    from monitors m
    left join results r on r.monitor_key = m.key
    where m.url is not null
    group by m.key, m.url`,
  )
  let stored = 0
  let asked = 0
  for (const row of rows) {
    const times = requests.get(new URL(row.url).pathname) ?? 0
    assert.ok(row.answered <= times, `${row.answered} answers of ${row.url} are stored, it was asked ${times} times`)
    stored += row.stored
    asked += times
  }
  assert.ok(stored >= leastStored * asked, `${stored} results are stored, the target was asked ${asked} times`)
  const ofDeleted = [...ledger.deleted.values()].reduce((sum, path) => sum + (requests.get(path) ?? 0), 0)
  assert.ok(
    stored + calls + ofDeleted >= storedAtLeast,
    `${storedAtLeast} results were acknowledged, ${stored} of checks and ${calls} of calls are stored`,
  )
  const rejected = await pool.query('select reason, result from rejected_results')
  assert.deepEqual(rejected.rows, [])
  return stored
}

/** Every incident was told to the contact of the first step, and so was every recovery that checks brought about. */
async function assertAlerts({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ wanted: string[]; delivered: string[]; deliveries: unknown; events: unknown }>(
    `select
      i.id, e.events, d.deliveries,
      case when e.has_recovered then array['monitor.down', 'monitor.up'] else array['monitor.down'] end as wanted,
      coalesce(d.delivered, '{}') as delivered
    from incidents i
    cross join lateral (
      select
        jsonb_agg(to_jsonb(e) order by e.at, e.position) as events,
        bool_or(e.type = 'resolved' and e.message = 'Checks succeed again.') as has_recovered
      from incident_events e
      where e.incident_id = i.id
    ) as e
    cross join lateral (
      select
        jsonb_agg(to_jsonb(d) order by d.created_at) as deliveries,
        array_agg(d.alert ->> 'type' order by d.alert ->> 'type') filter (where d.state = 'delivered') as delivered
      from deliveries d
      join alert_channels c on c.id = d.alert_channel_id
      where d.incident_id = i.id
        and c.name = $1
        and d.alert ->> 'type' <> 'monitor.reminder'
    ) as d`,
    [toldFirst],
  )
  for (const incident of rows)
    assert.deepEqual(incident.delivered, incident.wanted, `alerts of an incident: ${JSON.stringify(incident, null, 2)}`)
  return rows.length
}

/** The receiver got the deliveries that the database calls delivered, and each contact the opening of an incident first. */
async function assertReceived({ pool }: Database, received: readonly Received[]): Promise<number> {
  const { rows } = await pool.query<{ id: string; type: string; incident_id: string; started_at: Date }>(
    `select d.id, d.alert ->> 'type' as type, d.incident_id, i.started_at
    from deliveries d
    join incidents i on i.id = d.incident_id
    where d.state = 'delivered'`,
  )
  const expected = new Map(rows.map((row) => [row.id, row]))
  const arrived = new Set<string>()
  const downs = new Set<string>()
  for (const { path, headers, body } of received) {
    const id = String(headers['webhook-id'])
    const { type, data } = alertSchema.parse(JSON.parse(body))
    const delivery = expected.get(id) ?? assert.fail(`alert ${id} is of no delivery`)
    assert.deepEqual(
      [type, data.incident.id, data.incident.started_at],
      [delivery.type, delivery.incident_id, delivery.started_at.toISOString()],
    )
    const told = `${data.incident.id} ${path}`
    if (type === 'monitor.down') downs.add(told)
    else assert.ok(downs.has(told), `a ${type} of ${told} came before its down alert`)
    arrived.add(id)
  }
  assert.equal(arrived.size, expected.size, 'every alert that counts as delivered arrived')
  return expected.size
}

async function assertAcknowledged({ pool }: Database, { acknowledged }: Ledger): Promise<void> {
  const { rows } = await pool.query<{ incident_id: string }>(
    `select incident_id from incident_events where type = 'acknowledged'`,
  )
  const known = new Set(rows.map(({ incident_id }) => incident_id))
  for (const id of acknowledged) assert.ok(known.has(id), `the acknowledgement of ${id} is gone`)
}
