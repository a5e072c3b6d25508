// The model of the store against PostgreSQL: after the same steps both answer and hold the same.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Result } from '#core/results/result.ts'
import { createCallStore } from '#store/call-store.ts'
import type { Database } from '#store/database/database.ts'
import { createDeliveryStore } from '#store/delivery-store.ts'
import { createEngineStore } from '#store/engine-store.ts'
import { followClockJumps } from '#store/installation/own-troubles.ts'
import { createReleaseStore } from '#store/release-store.ts'
import { sweepDeliveries } from '#store/contacts/delivery-nudges.ts'
import type { Lease } from '#store/results/store-batch.ts'
import { testDatabase } from '../support/database.ts'
import { moveClock, type MovedClock } from '../support/moved-clock.ts'
import { sweep } from './model-alerts.ts'
import { modelCallStore } from './model-calls.ts'
import { contentsOf, contentsOfModel, nameOf } from './model-contents.ts'
import { ModelDatabase } from './model-database.ts'
import { modelDeliveryStore } from './model-delivery-store.ts'
import { modelEngineStore } from './model-engine-store.ts'
import { followJumps } from './model-jumps.ts'
import { modelReleaseStore } from './model-maintenance.ts'
import { createTwin, type Twin } from './twin.ts'
import { calledIds, fill, monitorIds } from './twin-fill.ts'
import { planInDatabase, planInModel } from './twin-maintenance.ts'
import {
  answerOf,
  answerOfIntake,
  attempt,
  type EngineStep,
  release,
  resultOf,
  resultOfCall,
  type Step,
  steps,
  type Watch,
} from './twin-steps.ts'
import { createSecrets } from '#store/database/secrets.ts'

const owners = ['one', 'other']
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

/** An empty installation on both sides; the function plays one step on it and compares. */
async function begin(database: Database, clock: MovedClock): Promise<(step: Step) => Promise<void>> {
  // Whole seconds, because PostgreSQL has microseconds where a number has not.
  let nowMs = Math.floor(Date.now() / second) * second
  const model = new ModelDatabase({ nowMs: () => nowMs, newId: randomUUID })
  await clock.set(new Date(nowMs))
  await fill(database, model)
  const twins = { model: await modelTwin(model, () => nowMs), real: await realTwin(database, () => nowMs) }
  const watches: Watch[] = [...monitorIds, ...calledIds].map((id) => ({ id, version: 1 }))

  async function setClock(toMs: number): Promise<void> {
    nowMs = toMs
    await clock.set(new Date(nowMs))
  }

  async function act(step: Step): Promise<[unknown, unknown]> {
    switch (step.type) {
      case 'wait':
        await setClock(nowMs + step.ms)
        return [null, null]
      case 'change':
        return [await changeModel(model, watches, step.monitor), await change(database, step.monitor)]
      case 'attempt':
        return attemptBoth({ model, database, twins }, step)
      case 'sweep':
        return [sweep(model), await sweepDeliveries(database)]
      case 'plan':
      case 'end':
        return [planInModel(model, step), await planInDatabase(database, step, nowMs)]
      case 'release':
        return [await release(twins.model, new Date(nowMs)), await release(twins.real, new Date(nowMs))]
      case 'word':
      case 'withdrawal':
      case 'overruns':
      case 'run': {
        const id = calledIds[step.type === 'run' ? step.monitor : 0] ?? assert.fail()
        const now = new Date(nowMs)
        return [
          await answerOfIntake(twins.model, step, { id, now }),
          await answerOfIntake(twins.real, step, { id, now }),
        ]
      }
      case 'settle':
      case 'read':
      case 'retire':
      case 'deadlines':
      case 'jump':
      case 'calls':
      case 'commit': {
        if (step.type === 'jump') await setClock(nowMs + step.seconds * second)
        const made = madeBy(step, watches, nowMs)
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

/** What jobs and locations found, where the step has it. */
function madeBy(step: EngineStep, watches: readonly Watch[], nowMs: number): Result[] {
  if (step.type === 'commit')
    return step.results.map((drawn) => resultOf(drawn, watches[drawn.monitor] ?? assert.fail(), nowMs))
  if (step.type !== 'calls') return []
  const called = watches.slice(monitorIds.length)
  return step.calls.map((drawn) => resultOfCall(drawn, called[drawn.monitor] ?? assert.fail(), nowMs))
}

function memoriesOf({ engines }: Twin): unknown[] {
  return engines.map(({ memory }) => memory())
}

function modelTwin(model: ModelDatabase, now: () => number): Promise<Twin> {
  return createTwin({
    store: modelEngineStore(model),
    deliveries: modelDeliveryStore(model),
    calls: modelCallStore(model),
    releases: modelReleaseStore(model),
    followJumps: () => followJumps(model),
    owners,
    now,
    newId: ids(),
  })
}

/** PostgreSQL tells in any order what was renewed or taken; an engine gives back what comes last, and reads in order. */
function realTwin(database: Database, now: () => number): Promise<Twin> {
  const given = createEngineStore(database)
  const renewPartitions: typeof given.renewPartitions = async (owner) => inOrder(await given.renewPartitions(owner))
  const takePartitions: typeof given.takePartitions = async (owner, count) =>
    inOrder(await given.takePartitions(owner, count))
  const store = { ...given, renewPartitions, takePartitions }
  const stores = {
    store,
    deliveries: createDeliveryStore(database),
    calls: createCallStore(database, createSecrets(randomBytes(32))),
    releases: createReleaseStore(database),
  }
  return createTwin({ ...stores, followJumps: () => followClockJumps(database), owners, now, newId: ids() })
}

function inOrder(leases: readonly Lease[]): Lease[] {
  return leases.toSorted((one, other) => one.partition - other.partition)
}

/** The same on both sides. */
function ids(): () => string {
  let last = 0
  return () => `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`
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
