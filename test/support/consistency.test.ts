import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PoolClient } from 'pg'
import { roundGraceMs } from '#core/results/round.ts'
import type { Database } from '#store/database/database.ts'
import { assertConsistent, brokenRules } from './consistency.ts'
import { addContact, engineBench, failing, standingOf } from './engine.ts'
import { createMonitor } from './monitors.ts'
import { assertRefolds } from './refold.ts'
import { until } from './until.ts'

/** Changes that a bug could leave behind, each with the rule that tells of it. */
const breaches = [
  ['update uptime_days set up = up + 1, checks = checks + 1', /a day is the count of its results/],
  ['delete from uptime_days', /a day is the count of its results/],
  ['update uptime_days set latency_sum_ms = latency_sum_ms + 1', /a day is the count of its results/],
  [
    'delete from results',
    /a day is the count of its results[\s\S]*the last check of a state[\s\S]*begins with a failure/,
  ],
  ['update results set last_checked_at = round_at', /only what is merged says so/],
  [
    'insert into results select monitor_key + 1000, round_at, location, status from results',
    /results of a deleted monitor/,
  ],
  ['update monitors set version = version + 1', /a state, of its own version/],
  [`update monitor_state set last_checked_at = last_checked_at + interval '1 ms'`, /the last check of a state/],
  [`update monitor_state set current_status = 'up'`, /down exactly while its incident runs/],
  ['update monitor_state set incident_id = null', /down exactly while its incident runs/],
  [`update monitors set status = 'paused'`, /down exactly while its incident runs/],
  ['update monitor_state set problem_at = null', /the one running problem/],
  [`update problems set ended_at = started_at - interval '1 ms'`, /problems of a monitor follow/],
  ['update problems set incident_id = gen_random_uuid()', /shows among the problems/],
  ['update incidents set monitor_id = gen_random_uuid()', /no incident of a deleted monitor runs/],
  [
    `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, resolved_at)
    select gen_random_uuid(), workspace_id, monitor_id, monitor_name, 'resolved', title, started_at, started_at from incidents`,
    /incidents of a monitor follow one another/,
  ],
  [
    `update incidents set started_at = started_at - interval '1 s'`,
    /begins with a failure[\s\S]*told once, at its time/,
  ],
  [`update incidents set status = 'resolved', resolved_at = now()`, /every step of an incident/],
  ['delete from incident_events', /every step of an incident/],
  [
    `insert into deliveries (id, workspace_id, alert_channel_id, incident_id, alert, due_at)
    select gen_random_uuid(), workspace_id, alert_channel_id, incident_id, alert, due_at from deliveries`,
    /each turn of an incident once/,
  ],
  [
    `update deliveries set alert = jsonb_set(alert, '{data,incident,started_at}', '"2020-01-01"')`,
    /what its incident says/,
  ],
  [`update deliveries set state = 'delivered', ended_at = now()`, /every end of a delivery/],
  [
    `insert into deliveries (id, workspace_id, alert_channel_id, incident_id, alert, due_at, state, ended_at)
    select gen_random_uuid(), workspace_id, alert_channel_id, incident_id, jsonb_set(alert, '{type}', '"monitor.up"'), due_at,
      'delivered', now()
    from deliveries`,
    /a recovery waits for its down alert/,
  ],
  [
    `insert into escalation_policies (id, workspace_id, name, steps, repeats, is_default, created_at)
    select gen_random_uuid(), id, 'Ops', '[{"after_minutes":0,"contact_ids":[],"schedule_ids":[]}]', 0, true, now()
    from workspaces`,
    /escalates until its policy is through/,
  ],
  [
    `insert into incident_events (id, incident_id, type, at, message, details)
    select gen_random_uuid(), id, 'escalated', now(), '', '{"step":1,"turn":1}' from incidents, generate_series(1, 2)`,
    /takes each step of its policy once/,
  ],
  [`update alert_channels set alert_rules = '{"remind_every_minutes":5}'`, /has one step for them/],
  [
    `with acknowledged as (
      update incidents set status = 'acknowledged'
    )
    insert into alert_steps (incident_id, type, alert_channel_id, alert, due_at)
    select incident_id, 'reminder', alert_channel_id, alert, now() from deliveries`,
    /nothing more waits to be told/,
  ],
  [
    `with dropped as (
      update deliveries set state = 'dropped', ended_at = now()
    )
    insert into deliveries (id, workspace_id, alert_channel_id, incident_id, alert, due_at)
    select gen_random_uuid(), workspace_id, alert_channel_id, incident_id, jsonb_set(alert, '{type}', '"monitor.up"'), due_at
    from deliveries`,
    /not told of an outage is not told of its end/,
  ],
  [
    `select graphile_worker.permanently_fail_jobs(array[(graphile_worker.add_job('mail', '{}')).id], 'refused')`,
    /used up its attempts/,
  ],
  [
    `insert into idempotency_keys (workspace_id, key, fingerprint, monitor_id)
    select id, 'key', '', gen_random_uuid() from workspaces`,
    /stands for a monitor/,
  ],
] as const

/** Jobs for deliveries are made again, and others may wait. */
const allowed = [
  'update graphile_worker._private_jobs set attempts = max_attempts',
  `select graphile_worker.add_job('mail', '{}')`,
]

/** A round that was lost, folded twice, or folded without what follows from it. */
const misfolds = [
  ['update monitor_state set consecutive_failures = 0', /failures/],
  ['update monitor_state set consecutive_failures = 2', /failures/],
  [`update monitor_state set round_at = round_at - interval '1 s'`, /its last round/],
  ['delete from incidents', /incidents/],
  [`update problems set status = 'degraded'`, /degraded/],
  [`update results set status = 'u'`, /current|status|incidents/],
] as const

describe('the rules of consistency', async () => {
  const database = await storyOfOneIncident()

  it('hold of what the engine wrote', () => assertConsistent(database))

  for (const [statement, rule] of breaches)
    it(`tell of: ${statement.replaceAll(/\s+/g, ' ').slice(0, 80)}`, () =>
      changed(database, statement, async (client) => assert.match((await brokenRules(client)).join('\n'), rule)))

  for (const statement of allowed)
    it(`allow: ${statement}`, () =>
      changed(database, statement, async (client) => assert.deepEqual(await brokenRules(client), [])))
})

describe('folding once more', async () => {
  const database = await storyOfOneIncident()

  it('comes to what the engine wrote', async () => assert.equal(await assertRefolds(database.pool), 1))

  for (const [statement, difference] of misfolds)
    it(`tells of: ${statement}`, () =>
      changed(database, statement, (client) => assert.rejects(assertRefolds(client), difference)))

  it('leaves out what was stored long after its round', async () => {
    await database.pool.query(
      `insert into results select monitor_key, round_at - interval '1 minute', location, status from results`,
    )
    assert.equal(await assertRefolds(database.pool), 1)
  })
})

describe('folding late results once more', async () => {
  const { pool } = await storyOfOneIncident()
  const lateMs = 3_000

  it('tries each choice among them, however many there are', async () => {
    // The first of twelve late rounds was folded and failed; the others, which succeeded, came too late to be folded.
    const statuses = ['d', ...Array.from({ length: 11 }, () => 'u')]
    const { rows } = await pool.query<{ at: Date }>(`
      select now() - timeout_ms * interval '1 ms' - interval '${roundGraceMs + lateMs} ms' as at from monitors`)
    // Their story goes on with the round that is there.
    await pool.query(`update results set round_at = now()`)
    await pool.query(`update monitor_state set round_at = (select max(round_at) from results)`)
    for (const [index, status] of statuses.entries())
      await pool.query(
        `insert into results (monitor_key, round_at, location, status)
        select monitor_key, $2::timestamptz + $3 * interval '1 ms', min(location), $1 from results group by monitor_key`,
        [status, rows[0]?.at, index],
      )
    await pool.query('update incidents set started_at = (select min(round_at) from results)')
    await pool.query('update problems set started_at = (select min(round_at) from results)')
    await pool.query('update monitor_state set consecutive_failures = 2')
    assert.equal(await assertRefolds(pool), 1 + statuses.length)
  })

  it('tells of a story that no choice among them comes to', async () => {
    await pool.query('update monitor_state set consecutive_failures = 4')
    await assert.rejects(assertRefolds(pool), /failures/)
  })
})

describe('folding once more what one of two locations found', async () => {
  const { pool } = await storyOfOneIncident()
  await pool.query('delete from results where location = (select max(location) from results)')
  await pool.query('update monitors set confirmation_threshold = 2')

  it('allows that the other one took no part', async () => assert.equal(await assertRefolds(pool), 1))

  it('tells of a story that the round never comes to', async () => {
    await pool.query(`update problems set status = 'degraded'`)
    await assert.rejects(assertRefolds(pool), /degraded/)
  })
})

/** A monitor whose first round failed, with its incident and one alert to send. */
async function storyOfOneIncident(): Promise<Database> {
  const bench = await engineBench()
  await addContact(bench.database, bench.api.workspaceId)
  const { id } = await createMonitor(bench.api, { interval_seconds: 86_400, locations: ['amsterdam', 'boston'] })
  for (const told of await bench.taken(id, ['amsterdam', 'boston'])) await bench.answer(told, failing)
  await until('it is down', async () => (await standingOf(bench.database, id)).current_status === 'down')
  await bench.engine.stop()
  return bench.database
}

/** Undoes the change whatever comes of it. */
async function changed(
  { pool }: Database,
  statement: string,
  look: (client: PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(statement)
    await look(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
