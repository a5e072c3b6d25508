import assert from 'node:assert/strict'
import { after } from 'node:test'
import { z } from 'zod'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { pause } from '../pause.ts'
import { type Client, wasRefused } from './client.ts'

/** A monitor that waits to be called, and what callers were answered. */
export type Called = {
  id: string
  url: string
  kind: 'heartbeat' | 'webhook'
  /** Whether the body's verdict is asked for where `expectation` says, else where it is by default. */
  isExpecting: boolean
  graceSeconds: number
  /** Counts of calls that carry only a status: how many were answered 200, and how many got no answer to rely on. */
  plain: Record<Status, { answered: number; unknown: number }>
  /** Calls that can be told from all others by their note: whether they were answered 200. */
  labelled: Map<string, { status: Status; isFail: boolean; isAnswered: boolean }>
  /** A log of all calls for the reader of a failed run: when each began, its outcome, and how long it took. */
  made: { at: string; suffix: string; outcome: Outcome; tookMs: number }[]
}

type Status = 'up' | 'down' | 'degraded'

export type Callers = {
  /** Makes all further calls report that all is well. */
  settle: () => void
  /** Resolves when each has finished its last call; rejects when one of them was told something wrong. */
  stop: () => Promise<void>
}

/** One call to a heartbeat; `says` is null for a start, which is no check. */
type Call = {
  suffix: string
  method: 'GET' | 'HEAD' | 'POST'
  body?: string
  says: { status: Status; label: string | null } | null
}

const monitorsEach = 3
const callers = 16
/** Three monitors in turn, each at most once a second: 60 calls a minute are taken of one. */
const breathMs = 350
const tryMs = 20_000
/**
 * A deadline that a restart has to put off: no outage is longer by much, some are shorter. After a short one there is
 * little more than the grace left, and of a monitor's calls two in a row may be three seconds apart: a start is no check.
 */
export const rhythm = { intervalSeconds: 10, graceSeconds: 4 }
const expectation = { json_path: 'state.of', expected_value: 'well' }
const created = z.looseObject({ data: monitorSchema, heartbeat_url: z.string() })

/** Heartbeats and webhooks, of which `/fail` opens an incident at once and nothing else does. */
export async function createCalled(client: Client, graceSeconds: number): Promise<Called[]> {
  return Promise.all(
    Array.from({ length: callers * monitorsEach }, async (_, index) => {
      const kind = index % 2 === 0 ? 'heartbeat' : 'webhook'
      const isExpecting = index % 4 === 3
      const body = {
        name: `${kind} ${index}`,
        kind,
        interval_seconds: rhythm.intervalSeconds,
        heartbeat_grace_seconds: graceSeconds,
        failure_threshold: 3,
        recovery_threshold: 1,
        ...(isExpecting ? { check_options: expectation } : {}),
      }
      const answer = await client.persist({ method: 'POST', path: '/monitors', body })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      const { data, heartbeat_url: url } = created.parse(answer.body)
      return {
        id: data.id,
        url,
        kind,
        isExpecting,
        graceSeconds,
        plain: { up: none(), down: none(), degraded: none() },
        labelled: new Map(),
        made: [],
      }
    }),
  )
}

function none(): Called['plain'][Status] {
  return { answered: 0, unknown: 0 }
}

/** Calls every monitor again and again, one call at a time for each, until they are stopped or the test is done. */
export function startCallers(called: readonly Called[]): Callers {
  const state = { isSettled: false, isStopping: false }
  const shares = Array.from({ length: callers }, (_, index) =>
    called.slice(index * monitorsEach, (index + 1) * monitorsEach),
  )
  const done = Promise.all(shares.map((own) => callAll(own, state)))
  // Looked at by `stop`; until then a failure is not an unhandled one.
  done.catch(() => {})
  after(() => {
    state.isStopping = true
  })
  return {
    settle: () => {
      state.isSettled = true
    },
    stop: async () => {
      state.isStopping = true
      await done
    },
  }
}

async function callAll(own: readonly Called[], state: { isSettled: boolean; isStopping: boolean }): Promise<void> {
  for (let number = 0; !state.isStopping; number += 1)
    for (const [place, monitor] of own.entries()) {
      await pause(breathMs)
      const call = state.isSettled ? wellOf(monitor) : callOf(monitor, number + place)
      const startedAt = new Date()
      const outcome = await make(monitor.url, call)
      const tookMs = Date.now() - startedAt.getTime()
      monitor.made.push({ at: startedAt.toISOString(), suffix: call.suffix, outcome, tookMs })
      note(monitor, call, outcome)
    }
}

const well = JSON.stringify({ state: { of: 'well' }, status: 'up' })

function wellOf({ kind }: Called): Call {
  const says = { status: 'up', label: null } as const
  return kind === 'webhook' ? { suffix: '', method: 'POST', body: well, says } : { suffix: '', method: 'GET', says }
}

/** One of the calls that such an address accepts, by turns; a failure carries the name of this call. */
function callOf(monitor: Called, number: number): Call {
  const label = `call ${number} of ${monitor.id}`
  const up = { status: 'up', label: null } as const
  const turns: Call[] = [
    wellOf(monitor),
    { suffix: '/start', method: 'POST', says: null },
    { suffix: '/0', method: 'HEAD', says: up },
    { suffix: '/fail', method: 'POST', body: label, says: { status: 'down', label } },
    wellOf(monitor),
    { suffix: '/start', method: 'GET', says: null },
    { suffix: `/${1 + (number % 255)}`, method: 'POST', body: label, says: { status: 'down', label } },
    wellOf(monitor),
    ...(monitor.kind === 'webhook' ? toldBy(monitor, label) : []),
  ]
  return turns[number % turns.length] ?? assert.fail()
}

/** Bodies that say one thing where it is expected and another where it is by default. */
function toldBy({ isExpecting }: Called, label: string): Call[] {
  const told = { suffix: '', method: 'POST' } as const
  return [
    {
      ...told,
      body: JSON.stringify({ state: { of: 'well' }, status: 'degraded' }),
      says: { status: isExpecting ? 'up' : 'degraded', label: null },
    },
    {
      ...told,
      body: JSON.stringify({ state: { of: label }, status: 'down' }),
      says: { status: 'down', label: isExpecting ? `state.of is "${label}"` : null },
    },
  ]
}

function note({ plain, labelled }: Called, { suffix, says }: Call, outcome: Outcome): void {
  if (says === null || outcome === 'not_sent') return
  const { status, label } = says
  if (label === null) plain[status][outcome] += 1
  else labelled.set(label, { status, isFail: suffix !== '', isAnswered: outcome === 'answered' })
}

type Outcome = 'answered' | 'unknown' | 'not_sent'

async function make(url: string, { suffix, method, body }: Call): Promise<Outcome> {
  try {
    const response = await fetch(url + suffix, {
      method,
      headers: { Connection: 'close' },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(tryMs),
    })
    await response.text()
    if (response.status === 200) return 'answered'
    assert.equal(response.status, 503, `a call was answered ${response.status}`)
    return 'unknown'
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return wasRefused(error) ? 'not_sent' : 'unknown'
  }
}
