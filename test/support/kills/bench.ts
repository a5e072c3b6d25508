import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client as PostgresClient } from 'pg'
import { z } from 'zod'
import { type Database, openDatabase } from '#store/database/database.ts'
import { runningConnection, startEmbedded } from '#store/embedded/embedded.ts'
import { asOperator, operatorSetting } from '../operator.ts'
import { pause } from '../pause.ts'
import type { Perigee } from '../perigee-process.ts'
import { freePort } from '../free-port.ts'
import { postmasterOf } from '../postmaster.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { serviceFolder } from '../service-folder.ts'
import { until } from '../until.ts'
import { type Called, createCalled } from './callers.ts'
import { type Client, createClient } from './client.ts'
import { type FlippingTarget, startFlippingTarget } from './flipping-target.ts'
import { harmfulMoment } from './moments.ts'
import { create } from './writers.ts'

export type Bench = {
  client: Client
  target: FlippingTarget
  receiver: Receiver
  /** Resolves when it is time for kill number `kill`, with the processes of the PostgreSQL that runs, the first one first. */
  aim: (kill: number) => Promise<number[]>
  /** Resolves with the first life of the service, whose database says from now on when each row was committed. */
  begin: () => Promise<Perigee>
  /** The real program, on a port and data that stay the same; resolves at once. */
  spawn: () => Perigee
  /** A contact and monitors, most checked from one location, some from three, and some that are called. */
  fill: () => Promise<{ loaded: Set<string>; called: Called[] }>
  /** The number of results that the running service counts in its metrics. */
  storedResults: () => Promise<number>
  /** Makes what waits to escalate, and to remind, due at once: its minutes are longer than the run. */
  hurry: () => Promise<void>
  /** Ends the flipping of the target. */
  settle: () => void
  /** Resolves when no further check will change the status of a monitor. */
  settled: () => Promise<void>
  /** Resolves when, besides, nothing is left to do for alerts and jobs. */
  quiet: () => Promise<void>
  /** The data of the service, which has ended. */
  open: () => Promise<Database>
}

/** How often the victim is killed; more for a night's run. */
export const kills = Number(process.env['PERIGEE_TEST_KILLS'] ?? 20)
/** The last ones come while the target's last word is told, so that the end need not wait for all of it. */
export const settlingKill = kills - 3
/** Node's own limit for a test would be too short for a night's run. */
export const crashTimeoutMs = 240_000 + 10_000 * Math.max(0, kills - 20)

const locationCodes = ['amsterdam', 'boston', 'chennai']
const token = `pgk_${'crash'.repeat(8)}`
const singleMonitors = 240
const tripleMonitors = 60
const createsAtOnce = 20
const quietMs = 60_000
const lookEveryMs = 200
const lastWords = 3_000
/** The contact that is told of every incident. */
export const toldFirst = 'first'
const contact = z.looseObject({ data: z.looseObject({ id: z.string() }) })

/** `graceSeconds` is that of monitors that wait to be called. */
export async function crashBench(options: { timeoutMs: number; graceSeconds: number }): Promise<Bench> {
  const { dataFolder, start } = serviceFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const target = await startFlippingTarget()
  const receiver = await startReceiver()
  const client = createClient({ url, token })
  const environment = environmentOf(port)
  let settledAt = new Date()
  return {
    client,
    target,
    receiver,
    aim: async (kill) => {
      const others = await harmfulMoment(kill, { dataFolder, receiver })
      return [postmasterOf(dataFolder), ...others]
    },
    begin: async () => {
      await trackCommits(dataFolder)
      const first = start(environment)
      await first.printed(/^Perigee is at /m)
      return first
    },
    spawn: () => start(environment),
    fill: () => fill(client, { target, receiver, ...options }),
    storedResults: () => storedResults(url),
    hurry: () => hurry(dataFolder),
    settle: () => {
      target.settle()
      settledAt = new Date()
    },
    settled: () => untilNone(dataFolder, ['unsettled'], settledAt),
    quiet: () => untilNone(dataFolder, ['unsettled', 'alerts', 'jobs'], settledAt),
    open: () => openData(dataFolder),
  }
}

export async function stops(perigee: Perigee): Promise<void> {
  perigee.child.kill('SIGTERM')
  assert.equal(await perigee.ended(), 0, lastWordsOf(perigee))
}

/** The end of the service's log, because the service logs a lot while its database is away. */
export function lastWordsOf(perigee: Perigee): string {
  return perigee.stderr().slice(-lastWords)
}

/** A whole number between two, both included. */
export function between(least: number, most: number): number {
  return least + Math.floor(Math.random() * (most - least + 1))
}

function environmentOf(port: number): Record<string, string> {
  return {
    PERIGEE_PORT: String(port),
    PERIGEE_OWNER_TOKEN: token,
    ...operatorSetting,
    PERIGEE_PLANS: JSON.stringify({ pro: { slots: 5000 } }),
    PERIGEE_LOCATIONS: locationCodes.map((code) => `${code}=${code}`).join(','),
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_READS_PER_MINUTE: '1000000',
    PERIGEE_WRITES_PER_MINUTE: '1000000',
  }
}

type Filling = { target: FlippingTarget; receiver: Receiver; timeoutMs: number; graceSeconds: number }

async function fill(
  client: Client,
  { target, receiver, timeoutMs, graceSeconds }: Filling,
): Promise<{ loaded: Set<string>; called: Called[] }> {
  const patientId = await addTold(client, receiver)
  const common = {
    interval_seconds: 10,
    recovery_threshold: 1,
    timeout_ms: timeoutMs,
    alert_channel_ids: [patientId],
  }
  const inputs = [
    ...Array.from({ length: singleMonitors }, (_, index) => ({
      ...common,
      name: `single ${index}`,
      url: `${target.url}/turns/single/${index}`,
    })),
    ...Array.from({ length: tripleMonitors }, (_, index) => ({
      ...common,
      name: `triple ${index}`,
      url: `${target.url}/waves/triple/${index}`,
      locations: locationCodes,
      confirmation_threshold: 2,
      recovery_threshold: 2,
    })),
  ]
  const ids = new Set<string>()
  for (let from = 0; from < inputs.length; from += createsAtOnce) {
    const some = inputs.slice(from, from + createsAtOnce)
    for (const { id } of await Promise.all(some.map((input) => create(client, input, input.name)))) ids.add(id)
  }
  const called = await createCalled(client, graceSeconds)
  return { loaded: new Set([...ids, ...called.map(({ id }) => id)]), called }
}

/**
 * Contacts: one that is told of every incident at once and is reminded, one that is told by the next step of the
 * policy, and one that monitors name, which is told of outages that last. Gives the id of the last.
 */
async function addTold(client: Client, receiver: Receiver): Promise<string> {
  const add = async (name: string, rules: Record<string, unknown> | null): Promise<string> => {
    const body = { name, kind: 'webhook', destination: `${receiver.url}/${name}`, alert_rules: rules }
    return contact.parse((await client.persist({ method: 'POST', path: '/alert-channels', body })).body).data.id
  }
  const first = await add(toldFirst, { remind_every_minutes: 5 })
  const next = await add('next', null)
  const steps = [
    { after_minutes: 0, contact_ids: [first] },
    { after_minutes: 1, contact_ids: [next] },
  ]
  const policy = { name: 'Everybody', is_default: true, steps }
  const { status } = await client.persist({ method: 'POST', path: '/escalation-policies', body: policy })
  assert.equal(status, 201)
  return add('patient', { after_minutes: 1 })
}

async function storedResults(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { ...asOperator, Connection: 'close' } })
  const [, count] = /^perigee_results_stored_total (\d+)$/m.exec(await response.text()) ?? []
  return Number(count ?? assert.fail('the metrics do not count results'))
}

type Left = Record<'unsettled' | 'alerts' | 'jobs', unknown[]>

async function untilNone(dataFolder: string, awaited: (keyof Left)[], since: Date): Promise<void> {
  const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 1 })
  let left: Left | null = null
  const isDone = async (): Promise<boolean> => {
    // The service works on what is waited for, and reading its tables takes as much of the machine as that.
    await pause(lookEveryMs)
    const found = await whatIsLeft(database, since)
    left = found
    return awaited.every((what) => found[what].length === 0)
  }
  try {
    await until(() => `nothing of this: ${JSON.stringify(left, null, 2).slice(0, 5000)}`, isDone, quietMs)
  } finally {
    await database.close()
  }
}

/** Monitors whose status another check may change: it would be the first since, or go on with a streak. */
const unsettled = `
  select m.name, m.interval_seconds, s.*
  from monitors m
  join monitor_state s on s.monitor_key = m.key
  where m.status = 'enabled'
    and (
      s.last_checked_at is null
      or s.last_checked_at < $1
      or (s.current_status <> 'down' and s.consecutive_failures > 0)
      or (s.current_status = 'down' and s.consecutive_successes > 0)
      or s.current_status = 'degraded'
    )`
/** What rules hold back is not due. */
const alerts = `select * from deliveries where state = 'pending' and (held_until is null or held_until <= now())`
const jobs = `
  select *
  from graphile_worker.jobs
  where attempts < max_attempts
    and not exists (
      select
      from deliveries
      where key = 'deliver:' || id
        and state = 'pending'
        and held_until > now()
    )`

async function whatIsLeft({ pool }: Database, since: Date): Promise<Left> {
  const found = [await pool.query(unsettled, [since]), await pool.query(alerts), await pool.query(jobs)]
  const [rows = [], ...others] = found.map((result): unknown[] => result.rows)
  const [pending = [], waiting = []] = others
  return { unsettled: rows, alerts: pending, jobs: waiting }
}

/** Rows that are worked on at this moment are left alone: nothing waits for this, or it for anything. */
async function hurry(dataFolder: string): Promise<void> {
  const { socketFolder: host, ...connection } = runningConnection(dataFolder)
  const client = new PostgresClient({ host, ...connection })
  await client.connect()
  await client.query(`
    update alert_steps
    set due_at = now()
    where id in (select id from alert_steps where due_at > now() for update skip locked)`)
  await client.end()
}

/** On a slow machine results come after their round; `assertRefolds` needs the commit times to know which ones. */
async function trackCommits(dataFolder: string): Promise<void> {
  const embedded = await startEmbedded({ folder: dataFolder })
  const database = openDatabase({ connection: embedded.connection, maxConnections: 1 })
  await database.pool.query('alter system set track_commit_timestamp = on')
  await database.close()
  await embedded.stop()
}

async function openData(dataFolder: string): Promise<Database> {
  const embedded = await startEmbedded({ folder: dataFolder })
  const database = openDatabase({ connection: embedded.connection, maxConnections: 3 })
  after(async () => {
    await database.close()
    await embedded.stop()
  })
  return database
}
