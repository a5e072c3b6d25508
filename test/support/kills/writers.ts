import assert from 'node:assert/strict'
import { after } from 'node:test'
import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { type MonitorRecord, monitorSchema } from '#core/monitors/monitor.ts'
import { pause } from '../pause.ts'
import type { Client, Write } from './client.ts'

/** The answers that the writers got, and the data that must therefore exist. */
export type Ledger = {
  /** Monitors that exist, as the last answer showed them. */
  monitors: Map<string, Written>
  /** The deleted monitors: their ids and the paths of their targets. */
  deleted: Map<string, string>
  /** Incidents that were acknowledged before they were resolved. */
  acknowledged: Set<string>
}

/** The members that nothing but an API write changes. */
export type Written = Pick<MonitorRecord, 'name' | 'url' | 'status' | 'interval_seconds' | 'failure_threshold'>

export type Writers = {
  ledger: Ledger
  /** Resolves when each has finished what it was at; rejects when one of them was told something wrong. */
  stop: () => Promise<void>
}

type Desk = { name: string; client: Client; targetUrl: string; ledger: Ledger; isStopping: () => boolean }

const monitorsEach = 8
/** Writers are people and programs, not a load test: a breath before each write. */
const breathMs = 120
/** The list of incidents is long, and reading it more often acknowledges no more of them. */
const listBreathMs = 400
const one = z.looseObject({ data: monitorSchema })
const many = z.looseObject({ data: z.array(monitorSchema) })
const incident = z.looseObject({ data: incidentSchema })
const incidents = z.looseObject({ data: z.array(incidentSchema) })

/**
 * Callers that create, change, pause, resume and delete monitors and acknowledge incidents until they are stopped or the
 * test is done.
 */
export function startWriters(client: Client, { count, targetUrl }: { count: number; targetUrl: string }): Writers {
  const ledger: Ledger = { monitors: new Map(), deleted: new Map(), acknowledged: new Set() }
  let isStopping = false
  const working = Array.from({ length: count }, (_, index) =>
    work({ name: `writer-${index}`, client, targetUrl, ledger, isStopping: () => isStopping }),
  )
  const done = Promise.all([...working, acknowledge({ client, ledger, isStopping: () => isStopping })])
  // Looked at by `stop`; until then a failure is not an unhandled one.
  done.catch(() => {})
  after(() => {
    isStopping = true
  })
  return {
    ledger,
    stop: async () => {
      isStopping = true
      await done
    },
  }
}

/** All monitors of the workspace, as the API lists them. */
export async function listMonitors(client: Client): Promise<MonitorRecord[]> {
  return many.parse((await client.persist({ method: 'GET', path: '/monitors' })).body).data
}

/** Creates a monitor; a try whose answer was lost is repeated with the same key. */
export async function create(client: Client, input: Record<string, unknown>, key: string): Promise<MonitorRecord> {
  const write: Write = { method: 'POST', path: '/monitors', body: input, idempotencyKey: key }
  const { status, body, isRepeat } = await client.persist(write)
  assert.ok(status === 201 || (isRepeat && status === 200), `create answered ${status}: ${JSON.stringify(body)}`)
  return one.parse(body).data
}

async function work(desk: Desk): Promise<void> {
  const own: string[] = []
  for (let number = 0; !desk.isStopping(); number += 1) {
    const label = `${desk.name} ${number}`
    const url = `${desk.targetUrl}/turns/${desk.name}/${number}`
    const input = { name: label, url, interval_seconds: 10, recovery_threshold: 1 }
    const { id } = note(desk, await create(desk.client, input, label))
    own.push(id)
    await change(desk, id, { name: `${label} renamed`, failure_threshold: 2 })
    await turn(desk, id, 'pause')
    if (number % 3 > 0) await turn(desk, id, 'resume')
    await change(desk, id, { name: label, url: `${url}?moved`, interval_seconds: 12 })
    const oldest = own.length > monitorsEach ? own.shift() : undefined
    if (oldest !== undefined) await remove(desk, oldest)
  }
}

async function change(desk: Desk, id: string, changes: Partial<Written>): Promise<void> {
  await pause(breathMs)
  const { status, body } = await desk.client.persist({ method: 'PATCH', path: `/monitors/${id}`, body: changes })
  assert.equal(status, 200, JSON.stringify(body))
  const changed = note(desk, one.parse(body).data)
  assert.deepEqual({ ...changed, ...changes }, changed, 'a change is in its own answer')
}

async function turn(desk: Desk, id: string, to: 'pause' | 'resume'): Promise<void> {
  await pause(breathMs)
  const { status, body } = await desk.client.persist({ method: 'POST', path: `/monitors/${id}/${to}` })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(note(desk, one.parse(body).data).status, to === 'pause' ? 'paused' : 'enabled')
}

/** A repeated delete finds nothing left when the first try was carried out. */
async function remove({ client, ledger }: Desk, id: string): Promise<void> {
  const { status, isRepeat } = await client.persist({ method: 'DELETE', path: `/monitors/${id}` })
  assert.ok(status === 204 || (isRepeat && status === 404), `delete answered ${status}`)
  ledger.deleted.set(id, new URL(ledger.monitors.get(id)?.url ?? assert.fail()).pathname)
  ledger.monitors.delete(id)
}

function note({ ledger }: Desk, record: MonitorRecord): MonitorRecord {
  ledger.monitors.set(record.id, writtenOf(record))
  return record
}

export function writtenOf({ name, url, status, interval_seconds, failure_threshold }: MonitorRecord): Written {
  return { name, url, status, interval_seconds, failure_threshold }
}

type Duty = Pick<Desk, 'client' | 'ledger' | 'isStopping'>

async function acknowledge({ client, ledger, isStopping }: Duty): Promise<void> {
  while (!isStopping()) {
    await pause(listBreathMs)
    const { body } = await client.persist({ method: 'GET', path: '/incidents' })
    const open = incidents.parse(body).data.filter(({ status }) => status === 'open')
    for (const { id } of open.slice(0, 5)) {
      if (isStopping()) return
      await pause(breathMs)
      const answer = await client.persist({ method: 'POST', path: `/incidents/${id}/acknowledge` })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      if (incident.parse(answer.body).data.status === 'acknowledged') ledger.acknowledged.add(id)
    }
  }
}
