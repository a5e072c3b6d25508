// The processes of a simulated installation, made of the product's own parts.
import { randomBytes } from 'node:crypto'
import { type Attempt, type Carriers } from '#contacts/send.ts'
import { findContactKind } from '#contacts/index.ts'
import type { AnyContactKind } from '#contacts/contact.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import { type Engine, startEngine } from '../../src/engine/engine.ts'
import { deliver, type DeliveryParts } from '#jobs/contacts/deliver.ts'
import { releaseAlerts } from '#jobs/maintenance.ts'
import { createTraffic } from '#net/ground/trace.ts'
import { startProber } from '#prober/prober.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { firmGround } from '../support/ground.ts'
import { noNet } from '../support/net.ts'
import { type Context, way } from './context.ts'
import { sweep } from './model-alerts.ts'
import type { ModelBus } from './model-bus.ts'
import { followJumps } from './model-jumps.ts'
import { notModelled } from './not-modelled.ts'
import type { Targets } from './targets.ts'
import type { Process } from './virtual-time.ts'
import { wireDeliveryStore, wireEngineStore, wireReleaseStore } from './wire-store.ts'

/** Ends as an operator ends a process. */
export type Stoppable = { stop: () => Promise<void> }

export type Parts = { context: Context; bus: ModelBus; targets: Targets }

/** Rejects when it cannot start, as a process that ends then. */
export async function startEngineProcess({ context, bus }: Parts, process: Process): Promise<Engine> {
  const { random, trace, watchdogs } = context
  const side = bus.engineSide(process)
  const presence = createPresenceBook()
  const noteJump = await followJumps(context.database)
  watchdogs.started({ name: process.name, presence, nowMs: process.time.nowMs })
  side.onPresence((message) => presence.note(message, process.time.nowMs()))
  return startEngine({
    store: wireEngineStore(context, process),
    bus: side,
    presence,
    name: process.name,
    readConfigurations: async (location, ids) => {
      await way(context, process)
      return ids.flatMap((id) => configurationOf(context, { location, id }))
    },
    observer: {
      round: () => {},
      skipped: () => {},
      stored: () => {},
      rejected: () => {},
      jumped: () => {},
      batch: () => {},
    },
    log: {
      debug: () => {},
      info: () => {},
      warn: (message, details = {}) => trace.say(`${process.name}: ${message} ${JSON.stringify(details)}`),
    },
    time: process.time,
    newId: random.uuid,
    random: random.number,
    onClockJump: async (jumpMs) => {
      await way(context, process)
      await noteJump(Math.round(jumpMs / 1000))
    },
  })
}

function configurationOf(
  { database }: Context,
  { location, id }: { location: string; id: string },
): CheckConfiguration[] {
  const monitor = database.monitorById(id)
  if (monitor === undefined || !monitor.isEnabled || !monitor.locations.includes(location)) return []
  const { version, kind, url, timeoutMs } = monitor
  return [
    {
      monitorId: id,
      version,
      kind,
      url: url ?? '',
      method: 'GET',
      timeoutMs,
      expectedStatusMin: 200,
      expectedStatusMax: 399,
      keyword: null,
      requestHeaders: {},
      requestBody: null,
      options: {},
    },
  ]
}

export function startProberProcess({ context, bus, targets }: Parts, process: Process, location: string): Stoppable {
  const { random, trace, virtual } = context
  const say = (message: string): void => trace.say(`${process.name}: ${message}`)
  const check = async ({ monitorId }: CheckConfiguration, _net: unknown, signal: AbortSignal): Promise<Verdict> => {
    const latencyMs = random.within(5, 250)
    await process.time.pause(latencyMs)
    const outage = targets.outageAt(monitorId, virtual.nowMs)
    if (outage === null) return verdict('up', latencyMs)
    if (outage.isSilent) await aborted(signal)
    return verdict('down', null)
  }
  return startProber({
    location,
    locationName: location,
    name: process.name,
    witness: location,
    bus: bus.proberSide(process),
    net: noNet,
    kinds: { http: async () => ({ check, secretOptions: [] }) },
    stalls: { begin: () => () => {}, stalledMs: () => 0, stalls: 0, stop: () => {} },
    ground: firmGround,
    traffic: createTraffic(),
    marks: { of: () => ({ check: 1, text: '', tookMs: 0 }), tookMs: () => 0 },
    asides: { reasonFor: () => null, monitors: () => [] },
    observer: { checked: () => {}, refused: () => {}, dropped: () => {} },
    time: process.time,
    random: random.number,
    log: { warn: say, warnRarely: say },
  })
}

function verdict(status: Verdict['status'], latencyMs: number | null): Verdict {
  const isUp = status === 'up'
  const error = isUp ? null : 'Connection refused'
  return { status, statusCode: isUp ? 200 : null, latencyMs, error, phases: noPhases, details: {} }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const pollMs = 250
const sweepMs = 30_000
const releaseMs = 5_000
const atOnce = 5
const maxAttempts = 3

/** A worker of the queue of jobs: it takes what is due, and what it had taken is lost when it ends. */
export function startJobsProcess({ context }: Parts, process: Process): Stoppable {
  const { database } = context
  const parts = deliveryPartsOf(context, process)
  const stopping = new AbortController()
  const running = new Set<string>()

  async function work(id: string, attempts: number): Promise<void> {
    running.add(id)
    try {
      await deliver(id, parts, stopping.signal)
    } catch {
      if (attempts + 1 < maxAttempts)
        database.jobs.set(id, { runMs: database.nowMs() + 1000 * Math.exp(attempts + 1), attempts: attempts + 1 })
    } finally {
      running.delete(id)
    }
  }

  process.time.every(pollMs, () => {
    for (const [id, { runMs, attempts }] of database.jobs) {
      if (running.size >= atOnce || stopping.signal.aborted) return
      if (runMs > database.nowMs()) continue
      database.jobs.delete(id)
      void work(id, attempts)
    }
  })
  process.time.every(sweepMs, () => sweep(database))
  releaseAgain(context, process)
  return {
    stop: async () => {
      stopping.abort()
      while (running.size > 0) await process.time.pause(pollMs)
    },
  }
}

/** One look after the other, as the chores of a process are done. */
function releaseAgain(context: Context, process: Process): void {
  const store = wireReleaseStore(context, process)
  const log = { info: (message: string): void => context.trace.say(`${process.name}: ${message}`) }
  const now = (): Date => new Date(process.time.nowMs())
  let isRunning = false
  process.time.every(releaseMs, () => {
    if (isRunning) return
    isRunning = true
    void releaseAlerts({ store, log, now })
      .catch(() => {})
      .finally(() => (isRunning = false))
  })
}

function deliveryPartsOf(context: Context, process: Process): DeliveryParts {
  const { random, trace } = context
  const receiver = receiverOf(context, process)
  const say = (message: string): void => trace.say(`${process.name}: ${message}`)
  return {
    store: wireDeliveryStore(context, process),
    carriers,
    secrets: createSecrets(randomBytes(32)),
    renderTemplates: async () => notModelled('a template'),
    publicUrl: 'https://perigee.example',
    log: { debug: () => {}, info: say, warn: say, error: say },
    observer: { attempted: () => {}, ran: () => {} },
    now: () => new Date(process.time.nowMs()),
    findContactKind: () => receiver,
    timeout: (ms) => {
      const ending = new AbortController()
      process.time.after(ms, () => ending.abort())
      return ending.signal
    },
    random: random.number,
  }
}

const carriers: Carriers = {
  net: noNet,
  sendMail: () => Promise.reject(new Error('There is no mail here.')),
}

/** A person who gets messages: some do not arrive, and some do while their answer does not. */
function receiverOf(context: Context, process: Process): AnyContactKind {
  const webhook = findContactKind('webhook') ?? notModelled('a webhook')
  const { random, mischief, watchdogs } = context
  const { attempts, watch } = watchdogs
  const attempt = async (
    ...[alert, { deliveryId }, { signal }]: Parameters<AnyContactKind['attempt']>
  ): Promise<Attempt> => {
    watch(() => attempts.begin(deliveryId, process.name))
    const forget = process.onDeath(() => attempts.forget(process.name))
    await way(context, process)
    const isTrouble = mischief.strikes('receiver')
    if (!isTrouble || random.happens(0.5)) watch(() => attempts.tell(deliveryId, alert))
    await way(context, process)
    forget()
    // What a process that is stopped has not delivered is handed back, and attempted at once.
    attempts.end(deliveryId, { hasFailed: isTrouble && !signal.aborted })
    if (isTrouble || signal.aborted)
      return { outcome: 'try_again', error: 'It gave no answer.', afterSeconds: null, statusCode: null }
    return { outcome: 'delivered', statusCode: 200 }
  }
  return { ...webhook, attempt }
}
