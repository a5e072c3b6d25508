// The model of the store against PostgreSQL: after the same steps both answer and hold the same.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { Database } from '#store/database/database.ts'
import { createDeliveryStore } from '#store/delivery-store.ts'
import { createEngineStore } from '#store/engine-store.ts'
import { sweepDeliveries } from '#store/contacts/delivery-nudges.ts'
import { testDatabase } from '../support/database.ts'
import { moveClock, type MovedClock } from '../support/moved-clock.ts'
import { sweep } from './model-alerts.ts'
import { contentsOf, contentsOfModel, nameOf } from './model-contents.ts'
import { ModelDatabase } from './model-database.ts'
import { modelDeliveryStore } from './model-delivery-store.ts'
import { modelEngineStore } from './model-engine-store.ts'
import { createTwin, type Twin } from './twin.ts'
import { answerOf, attempt, locations, resultOf, type Step, steps, type Watch } from './twin-steps.ts'

const owners = ['one', 'other']
const monitorIds = [0, 1, 40].map((partition) => `2d9bd30e-5f10-4a4f-8f4e-b5a3c1d7ee${hexOf(partition)}`)
const second = 1000

describe('the model of the store', async () => {
  const database = await testDatabase({ hasDays: true })
  const clock = await moveClock(database)

  it('answers as PostgreSQL does, and holds the same afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const play = await begin(database, clock)
        for (const step of list) await play(step)
      }),
      { numRuns: 60, endOnFailure: false, interruptAfterTimeLimit: 90_000 },
    )
  })
})

function hexOf(partition: number): string {
  return partition.toString(16).padStart(2, '0')
}

/** An empty installation on both sides; the function plays one step on it and compares. */
async function begin(database: Database, clock: MovedClock): Promise<(step: Step) => Promise<void>> {
  // Whole seconds, because PostgreSQL has microseconds where a number has not.
  let nowMs = Math.floor(Date.now() / second) * second
  const model = new ModelDatabase({ nowMs: () => nowMs, newId: randomUUID })
  await clock.set(new Date(nowMs))
  await fill(database, model)
  const twins = { model: modelTwin(model, () => nowMs), real: realTwin(database, () => nowMs) }
  const watches: Watch[] = monitorIds.map((id) => ({ id, version: 1 }))

  async function act(step: Step): Promise<[unknown, unknown]> {
    switch (step.type) {
      case 'wait':
        nowMs += step.ms
        await clock.set(new Date(nowMs))
        return [null, null]
      case 'change':
        return [await changeModel(model, watches, step.monitor), await change(database, step.monitor)]
      case 'attempt':
        return attemptBoth({ model, database, twins }, step)
      case 'sweep':
        return [sweep(model), await sweepDeliveries(database)]
      case 'settle':
      case 'read':
      case 'retire':
      case 'commit': {
        const results = step.type === 'commit' ? step.results : []
        const made = results.map((drawn) => resultOf(drawn, watches[drawn.monitor] ?? assert.fail(), nowMs))
        const of = (twin: Twin): Promise<unknown> =>
          answerOf(twin.engines[step.engine] ?? assert.fail(), step, structuredClone(made))
        return [await of(twins.model), await of(twins.real)]
      }
    }
  }

  return async (step) => {
    const [said, expected] = await act(step)
    assert.deepEqual(said, expected, step.type)
    assert.deepEqual(memoriesOf(twins.model), memoriesOf(twins.real), `memory after ${step.type}`)
    assert.deepEqual(contentsOfModel(model), await contentsOf(database), `contents after ${step.type}`)
  }
}

function memoriesOf({ engines }: Twin): unknown[] {
  return engines.map(({ memory }) => memory())
}

function modelTwin(model: ModelDatabase, now: () => number): Twin {
  return createTwin({
    store: modelEngineStore(model),
    deliveries: modelDeliveryStore(model),
    owners,
    now,
    newId: ids(),
  })
}

/** PostgreSQL tells in any order what was renewed, and an engine gives back what comes last. */
function realTwin(database: Database, now: () => number): Twin {
  const given = createEngineStore(database)
  const renewPartitions: typeof given.renewPartitions = async (owner) =>
    (await given.renewPartitions(owner)).toSorted((one, other) => one.partition - other.partition)
  const store = { ...given, renewPartitions }
  return createTwin({ store, deliveries: createDeliveryStore(database), owners, now, newId: ids() })
}

/** The same on both sides. */
function ids(): () => string {
  let last = 0
  return () => `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`
}

const emptied = [
  'results',
  'uptime_days',
  'incident_events',
  'deliveries',
  'incidents',
  'monitors',
  'alert_channels',
  'workspaces',
  'locations',
  'engines',
  'rejected_results',
  'graphile_worker._private_jobs',
]

async function fill({ pool }: Database, model: ModelDatabase): Promise<void> {
  await pool.query(`truncate ${emptied.join(', ')} cascade`)
  await pool.query(`update partitions set owner = null, epoch = 0, held_until = '-infinity'`)
  await pool.query(`update settings set value = '"2020-01-01T00:00:00Z"' where name = 'slow_answers_since'`)
  const workspaceId = randomUUID()
  await pool.query(`insert into workspaces (id, name, plan) values ($1, 'Twins', 'pro')`, [workspaceId])
  for (const [place, code] of locations.entries()) {
    await pool.query(
      'insert into locations (id, code, name, position) overriding system value values ($1, $2, $3, $4)',
      [place + 1, code, code, place],
    )
    model.locations.set(code, place + 1)
  }
  for (const name of ['Operations', 'Night shift']) await addContact({ pool }, model, { workspaceId, name })
  for (const [place, id] of monitorIds.entries()) await addMonitor({ pool }, model, { workspaceId, id, key: place + 1 })
}

async function addContact(
  { pool }: Pick<Database, 'pool'>,
  model: ModelDatabase,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<void> {
  const id = randomUUID()
  await pool.query(
    `insert into alert_channels (id, workspace_id, name, kind, destination, confirmed)
    values ($1, $2, $3, 'webhook', 'https://alerts.example/in', true)`,
    [id, workspaceId, name],
  )
  model.contacts.set(id, { id, workspaceId, name, kind: 'webhook', isEnabled: true, failingSinceMs: null })
}

/** One that needs two failures, one that both locations have to see down, and one with a slow recovery. */
async function addMonitor(
  { pool }: Pick<Database, 'pool'>,
  model: ModelDatabase,
  { workspaceId, id, key }: { workspaceId: string; id: string; key: number },
): Promise<void> {
  const name = `Shop ${key}`
  const url = 'https://shop.example/'
  const partition = partitionOf(id)
  const thresholds = [key === 1 ? 2 : 1, key === 3 ? 2 : 1, key === 2 ? 2 : 1] as const
  const createdMs = model.nowMs() - 60_000
  await pool.query(
    `insert into monitors (
      key, id, workspace_id, partition, name, kind, url, method, interval_seconds, timeout_ms, locations,
      expected_status_min, expected_status_max, failure_threshold, recovery_threshold, confirmation_threshold,
      expiry_alerts, vulnerability_alerts, vulnerability_severity, charts, billing
    )
    overriding system value
    values ($1, $2, $3, $4, $5, 'http', $6, 'GET', 60, 10000, $7, 200, 399, $8, $9, $10, true, false, 'low', 'both', 'plan')`,
    [key, id, workspaceId, partition, name, url, locations, ...thresholds],
  )
  const createdAt = new Date(createdMs)
  await pool.query('insert into monitor_state (monitor_key, version, round_at) values ($1, 1, $2)', [key, createdAt])
  await pool.query('insert into monitor_gaps (monitor_key, started_at) values ($1, $2)', [key, createdAt])
  const [failureThreshold, recoveryThreshold, confirmationThreshold] = thresholds
  const schedule = { kind: 'http', version: 1, intervalSeconds: 60, timeoutMs: 10_000, locations } as const
  const rules = { failureThreshold, recoveryThreshold, confirmationThreshold }
  const who = { id, key, partition, workspaceId, name, url, isEnabled: true }
  model.monitors.set(key, { ...who, ...schedule, ...rules, locations: [...locations] })
  const standing = { status: 'pending', failures: 0, successes: 0 } as const
  const none = { lastCheckedAt: null, incidentId: null, problemAt: null }
  model.states.set(key, { version: 1, ...standing, round: createdMs * 1000, ...none })
  model.gaps.set(`${key}/${createdMs * 1000}`, { monitorKey: key, startedAt: createdMs * 1000, endedAt: null })
}

async function changeModel({ monitors, states }: ModelDatabase, watches: Watch[], place: number): Promise<null> {
  for (const row of [watches[place], monitors.get(place + 1), states.get(place + 1)])
    if (row !== undefined) row.version += 1
  return null
}

async function change({ pool }: Database, place: number): Promise<null> {
  await pool.query('update monitors set version = version + 1 where key = $1', [place + 1])
  await pool.query('update monitor_state set version = version + 1 where monitor_key = $1', [place + 1])
  return null
}

type Both = { model: ModelDatabase; database: Database; twins: { model: Twin; real: Twin } }

/** The job of the delivery is taken on both sides, where there is one. */
async function attemptBoth(
  { model, database, twins }: Both,
  { delivery: place, outcome }: Extract<Step, { type: 'attempt' }>,
): Promise<[unknown, unknown]> {
  const known = [...model.deliveries.values()]
  const delivery = known[place % Math.max(1, known.length)]
  if (delivery === undefined) return [null, null]
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from deliveries where concat_ws(',', incident_id, alert ->> 'type', alert_channel_id) = $1`,
    [nameOf(delivery)],
  )
  const id = rows[0]?.id ?? assert.fail('PostgreSQL has no such delivery.')
  model.jobs.delete(delivery.id)
  await database.pool.query('delete from graphile_worker._private_jobs where key = $1', [`deliver:${id}`])
  return [await attempt(twins.model, delivery.id, outcome), await attempt(twins.real, id, outcome)]
}
