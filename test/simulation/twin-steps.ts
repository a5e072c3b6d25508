// What may happen to an installation, as steps that a property draws and that are played on both twins.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { deliveryEvent } from '#core/contacts/delivery-events.ts'
import { callOf, runLimitsOf, verdictOfCall } from '#core/monitors/heartbeat.ts'
import { noPhases, type Result, type ResultStatus } from '#core/results/result.ts'
import type { ClaimedDelivery } from '#store/contacts/delivery-attempts.ts'
import type { Twin, TwinEngine } from './twin.ts'

/** A result of one of the monitors, so many tens of seconds ago, or to come, and whether it is of a version that is gone. */
type Drawn = { monitor: number; ago: number; location: number; status: ResultStatus; isOld: boolean }

type DrawnCall = { monitor: number; ago: number; isFailure: boolean; isOld: boolean }

export type Step =
  | { type: 'wait'; ms: number }
  | { type: 'settle' | 'read' | 'retire' | 'deadlines'; engine: number }
  | { type: 'commit'; engine: number; results: Drawn[] }
  /** Jobs of the monitors that are called said something, which an engine hears. */
  | { type: 'calls'; engine: number; calls: DrawnCall[] }
  | { type: 'jump'; engine: number; seconds: number }
  /** A process says that it takes calls, or takes that back. */
  | { type: 'word'; process: number; isFirst: boolean; sinceSeconds: number | null }
  | { type: 'withdrawal'; process: number }
  /** A run says that it begins, or its end is noted. */
  | { type: 'run'; monitor: number; isEnd: boolean }
  /** A process looks for runs that did not end in time, and notes that it has told of them. */
  | { type: 'overruns' }
  /** A person plans a maintenance of one monitor, or of all, or ends those that are under way. */
  | { type: 'plan'; monitor: number | null; startsIn: number; lasting: number; excludesUptime: boolean }
  | { type: 'end' }
  /** What outlasted its maintenance is told. */
  | { type: 'release' }
  /** A person changes a monitor. */
  | { type: 'change'; monitor: number }
  /** A worker takes the job of a delivery, and attempts it. */
  | { type: 'attempt'; delivery: number; outcome: 'delivered' | 'failed' | 'postponed' | 'handed back' | 'lost' }
  | { type: 'sweep' }

const place = fc.nat({ max: 1 })
const status = fc.constantFrom<ResultStatus[]>('up', 'down', 'down', 'degraded')
const drawn = fc.record({
  monitor: fc.nat({ max: 2 }),
  ago: fc.integer({ min: -3, max: 3 }),
  location: place,
  status,
  isOld: rarely(),
})

const drawnCall: fc.Arbitrary<DrawnCall> = fc.record({
  monitor: place,
  ago: fc.integer({ min: -20, max: 180 }),
  isFailure: fc.boolean(),
  isOld: rarely(),
})

/** What happens around calls. */
const callSteps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('calls' as const),
      engine: place,
      calls: fc.array(drawnCall, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('deadlines' as const), engine: place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('word' as const),
      process: place,
      isFirst: fc.boolean(),
      sinceSeconds: fc.option(fc.nat({ max: 20 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('withdrawal' as const), process: place }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('run' as const), monitor: place, isEnd: rarely() }),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'overruns' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('jump' as const),
      engine: place,
      seconds: fc.integer({ min: -600, max: 600 }),
    }),
  },
)

/** What happens around maintenance. */
const maintenanceSteps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('plan' as const),
      monitor: fc.option(fc.nat({ max: 4 })),
      startsIn: fc.integer({ min: -60, max: 20 }),
      lasting: fc.integer({ min: 1, max: 90 }),
      excludesUptime: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'end' as const }) },
  { weight: 2, arbitrary: fc.constant({ type: 'release' as const }) },
)

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('settle' as const), engine: place }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('read' as const), engine: place }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('retire' as const), engine: place }) },
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('commit' as const),
        engine: place,
        results: fc.array(drawn, { minLength: 1, maxLength: 6 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('change' as const), monitor: fc.nat({ max: 4 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('attempt' as const),
        delivery: fc.nat({ max: 5 }),
        outcome: fc.constantFrom(
          'delivered' as const,
          'delivered' as const,
          'failed' as const,
          'postponed' as const,
          'handed back' as const,
          'lost' as const,
        ),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'sweep' as const }) },
    { weight: 8, arbitrary: callSteps },
    { weight: 4, arbitrary: maintenanceSteps },
  ),
  { maxLength: 40, size: 'max' },
)

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 7 }).map((number) => number === 0)
}

export type EngineStep = Extract<Step, { engine: number }>

export type Watch = { id: string; version: number }
const releasedAtOnce = 2
export const locations = ['amsterdam', 'boston']

export function resultOf(
  { ago, location, status: found, isOld }: Drawn,
  { id, version }: Watch,
  nowMs: number,
): Result {
  const isDown = found === 'down'
  return {
    monitorId: id,
    version: isOld ? version - 1 : version,
    round: (Math.floor(nowMs / 10_000) - ago) * 10_000_000,
    location: locations[location] ?? '',
    verdict: {
      status: found,
      statusCode: isDown ? 500 : 200,
      latencyMs: isDown ? null : 12 + ago,
      error: found === 'up' ? null : `It is ${found}`,
      phases: noPhases,
      details: {},
    },
  }
}

export function resultOfCall({ ago, isFailure, isOld }: DrawnCall, { id, version }: Watch, nowMs: number): Result {
  const call = isFailure ? ({ type: 'failed', exitCode: 1, note: null } as const) : callOf(null)
  return {
    monitorId: id,
    version: isOld ? version - 1 : version,
    round: (nowMs - ago * 1000) * 1000,
    location: locations[0] ?? '',
    verdict: call === null ? null : verdictOfCall(call, null),
  }
}

/** What a step that an engine does comes to: its answer, or the kind of its failure. */
export async function answerOf(engine: TwinEngine, step: EngineStep, results: Result[]): Promise<unknown> {
  try {
    switch (step.type) {
      case 'settle':
        return await engine.settle()
      case 'read':
        return await engine.read()
      case 'retire':
        return await engine.leases.retire()
      case 'deadlines':
        return await engine.lookAtDeadlines()
      case 'jump':
        return await engine.noteJump(step.seconds)
      case 'commit':
      case 'calls':
        return await engine.commit(results)
    }
  } catch (error) {
    return failureOf(error)
  }
}

export type CallStep = Extract<Step, { type: 'word' | 'withdrawal' | 'run' | 'overruns' }>

/** What a process that takes calls is answered. */
export async function answerOfIntake(
  { calls }: Twin,
  step: CallStep,
  { id, now }: { id: string; now: Date },
): Promise<unknown> {
  if (step.type === 'run') {
    const target = (await calls.findCallTarget(id)) ?? assert.fail()
    const { monitorKey, startedAt, check_options: options } = target
    const { maxSeconds } = runLimitsOf(options)
    const dueAt = maxSeconds === null ? null : new Date(now.getTime() + maxSeconds * 1000)
    if (step.isEnd) await calls.noteRunEnded({ monitorKey, startedAt })
    else await calls.noteRunStarted({ monitorKey, at: now, dueAt })
    return target
  }
  if (step.type === 'overruns') {
    const overruns = await calls.readOverruns()
    for (const overrun of overruns) await calls.forgetOverrun(overrun)
    return overruns
  }
  const name = `process ${step.process}`
  if (step.type === 'withdrawal') return calls.withdrawCallIntake(name)
  const { isFirst, sinceSeconds } = step
  return calls.noteCallIntake({ name, isFirst: () => isFirst, sinceLastSeconds: () => sinceSeconds })
}

/** Tells what outlasted its maintenance. Returns of which incidents, and how many alerts were kept back until then. */
export function release({ releases }: Twin, now: Date): Promise<unknown> {
  return releases.transaction(async (tx) => {
    const { taken, orders } = await tx.takeReleased(now, releasedAtOnce)
    await tx.enqueueAlerts(await tx.foldUnstable(orders))
    return { taken, incidents: orders.map(({ incidentId }) => incidentId) }
  })
}

/** An attempt of a delivery on one of the twins, whose ids differ. Returns all of the claim but ids. */
export async function attempt(
  { deliveries }: Twin,
  id: string,
  outcome: Extract<Step, { type: 'attempt' }>['outcome'],
): Promise<unknown> {
  const claim = await deliveries.claimDelivery(id)
  if (claim === null) return null
  const isWritten = await end(deliveries, claim, outcome)
  if (outcome !== 'lost') await deliveries.nudgeFollowers({ id, contactId: claim.contact.id, isBundle: false })
  const { id: _, contact, ageMs, ...said } = claim
  return { ...said, ageMs: Math.round(ageMs), isWritten, contact: contact.id, isEnabled: contact.isEnabled }
}

async function end(
  deliveries: Twin['deliveries'],
  claim: ClaimedDelivery,
  outcome: Extract<Step, { type: 'attempt' }>['outcome'],
): Promise<boolean> {
  const error = outcome === 'failed' ? 'It was not accepted.' : null
  const event = deliveryEvent(claim.contact, { attempt: claim.attempt, error })
  switch (outcome) {
    case 'delivered':
      return deliveries.transaction(async (tx) => {
        await tx.noteContactWorking(claim.contact.id)
        return tx.endDelivery(claim, { state: 'delivered', statusCode: 200, error, event })
      })
    case 'failed':
      return deliveries.transaction(async (tx) => {
        await tx.noteContactFailing(claim.contact.id)
        return tx.endDelivery(claim, { state: 'failed', statusCode: 500, error, event })
      })
    case 'postponed':
      return deliveries.transaction(async (tx) => {
        await tx.noteContactFailing(claim.contact.id)
        const isPostponed = await tx.postponeDelivery(claim, { delayMs: 5_000, statusCode: 500, error: 'later' })
        await tx.nudgeDeliveries([claim.id])
        return isPostponed
      })
    case 'handed back':
      await deliveries.handBackDelivery(claim)
      await deliveries.nudgeDeliveries([claim.id])
      return true
    case 'lost':
      return true
  }
}

function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && error.code === '23505' ? 'UniqueViolation' : error.constructor.name
}
