// Whatever a location, or who stole its credential, sends on the bus: the engine goes on, quickly, and stores nothing of
// other locations.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { encodeResults } from '#bus/codec.ts'
import { noPhases } from '#core/results/result.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { noNatsServer } from '../../../support/nats-server.ts'
import { pause } from '../../../support/pause.ts'
import type { Finding, Order } from '../../proof.ts'
import { randomOf } from '../random.ts'
import { slownessNow } from '../slowness.ts'
import { storedOfOthers, untilStored } from './judge.ts'
import { drawMessage, type Message } from './messages.ts'
import { openMemoryWay, openNatsWay, type Way } from './ways.ts'

export type BusRun = { load: string; findings: Finding[] }

const mark = 'bus'
const openers: Readonly<Record<string, () => Promise<Way>>> = { memory: openMemoryWay, nats: openNatsWay }
const messagesOfShort = 400
/** Between two looks at whether all goes on. */
const batch = 40
const quickMs = 1_000
const delayResolutionMs = 10
const storedWithinMs = 10_000
/** Of what is left after a collection: engines keep at most a thousand names of a location, and some evidence. */
const mostGrowthMb = 100
const looks = 5
const lookMs = 500
/** A line of each sort in ten seconds, and some that are said once. */
const linesAtFirst = 60
const linesPerSecond = 3

export async function tryBus(order: Order, budgetMs: number): Promise<BusRun> {
  const [kind, wanted, at] = order.only?.split(':') ?? []
  if (kind !== undefined && kind !== mark) return { load: '', findings: [] }
  const names = wanted === undefined ? namesOf(order) : [wanted]
  const findings: Finding[] = []
  const loads: string[] = []
  for (const name of names) {
    const most = order.isShort ? messagesOfShort : Infinity
    const share = {
      untilMs: performance.now() + budgetMs / names.length,
      most,
      at: at === undefined ? null : Number(at),
    }
    const tried = await tryWay(name, { order, ...share })
    findings.push(...tried.findings)
    loads.push(`${tried.sent} messages ${name === 'nats' ? 'on NATS' : 'in memory'}`)
  }
  return { load: loads.join(', '), findings }
}

/** A short run is the same everywhere, with a broker or without. */
function namesOf({ isShort, report }: Order): string[] {
  if (!isShort && noNatsServer === false) return ['memory', 'nats']
  report(`the bus is tried in memory alone: ${isShort ? 'a short run needs no broker' : noNatsServer}`)
  return ['memory']
}

type Share = { order: Order; untilMs: number; most: number; at: number | null }

async function tryWay(
  name: string,
  { order, untilMs, most, at }: Share,
): Promise<{ sent: number; findings: Finding[] }> {
  const way = await (openers[name] ?? openMemoryWay)()
  const trying = new Trying(way, { order, name })
  try {
    if (at !== null) await trying.sendOne(at)
    else while (trying.sent < most && performance.now() < untilMs && !trying.isBroken) await trying.sendBatch()
    await trying.judgeEnd()
  } finally {
    trying.end()
    await way.close()
  }
  return trying
}

class Trying {
  readonly #way: Way
  readonly #order: Order
  readonly #name: string
  readonly #delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  readonly #began = { ms: performance.now(), mb: memoryMb() }
  readonly findings: Finding[] = []
  sent = 0
  isBroken = false

  constructor(way: Way, { order, name }: { order: Order; name: string }) {
    this.#way = way
    this.#order = order
    this.#name = name
    this.#delay.enable()
    process.on('uncaughtException', this.#onUncaught)
    process.on('unhandledRejection', this.#onUncaught)
  }

  async sendBatch(): Promise<void> {
    const from = this.sent
    const messages = Array.from({ length: batch }, (_, index) => this.#drawn(from + index))
    const sent: Promise<void>[] = []
    await this.#forgetDelay()
    // Results wait for others at the engine, so that all leave before any is answered; each comes in a turn of its own.
    for (const message of messages) {
      sent.push(this.#send(message))
      await pause(0)
    }
    await Promise.all(sent)
    await this.#judgeBatch(from)
  }

  async sendOne(at: number): Promise<void> {
    const message = this.#drawn(at)
    await this.#forgetDelay()
    await this.#send(message)
    await this.#judgeBatch(at)
  }

  async judgeEnd(): Promise<void> {
    const { ground } = this.#way
    const stored = await storedOfOthers(ground)
    if (stored !== null) this.#found(stored, 'all')
    const seconds = (performance.now() - this.#began.ms) / 1000
    const lines = ground.lines.length
    if (lines > linesAtFirst + seconds * linesPerSecond)
      this.#found(`${lines} lines were logged in ${Math.round(seconds)} s, the last ${ground.lines.at(-1)}`, 'all')
    const grownMb = (await keptMb()) - this.#began.mb
    this.#order.report(`${mark} ${this.#name}: ${this.sent} messages, ${lines} lines, ${grownMb} MiB more`)
    if (grownMb > mostGrowthMb) this.#found(`The process grew by ${grownMb} MiB.`, 'all')
  }

  end(): void {
    this.#delay.disable()
    process.off('uncaughtException', this.#onUncaught)
    process.off('unhandledRejection', this.#onUncaught)
  }

  /** Of what this proof did itself. */
  async #forgetDelay(): Promise<void> {
    await pause(delayResolutionMs * 2)
    this.#delay.reset()
  }

  #drawn(number: number): Message {
    const { known } = this.#way.ground
    return drawMessage(randomOf(this.#order.seed, mark, number), { ...known, nowMs: Date.now() })
  }

  async #send(message: Message): Promise<void> {
    this.sent += 1
    await this.#way.send(message)
  }

  async #judgeBatch(from: number): Promise<void> {
    const { ground, answers } = this.#way
    const heldMs = this.#delay.max / 1e6
    const slowness = slownessNow()
    if (heldMs > quickMs * slowness) this.#found(`The thread stood still for ${Math.round(heldMs)} ms.`, from)
    await this.#judgeFlow(from)
    if (!ground.bus.isConnected()) this.#found('The engine has lost its broker.', from)
    const told = answers.splice(0).find((text) => ground.known.foreign.some((id) => text.includes(id)))
    if (told !== undefined) this.#found(`A location was told a configuration of another: ${told.slice(0, 300)}`, from)
  }

  /** A result as probers send it is stored. */
  async #judgeFlow(from: number): Promise<void> {
    const { ground, send } = this.#way
    const { own, location } = ground.known
    const monitorId = own[(from / batch) % own.length] ?? ''
    const round = Date.now() * 1000
    const verdict = { status: 'up', statusCode: 200, latencyMs: 5, error: null, phases: noPhases, details: {} } as const
    const place = String(partitionOf(monitorId))
    for (const bytes of encodeResults([{ monitorId, version: 1, round, location, verdict }]))
      await send({ type: 'results', place, reply: '', bytes })
    const tookMs = await untilStored(ground.database, { monitorId, round }, storedWithinMs * slownessNow())
    this.isBroken = tookMs === null
    if (tookMs === null) this.#found(`A good result is not stored; the last line is ${ground.lines.at(-1)}`, from)
    await pause(0)
  }

  readonly #onUncaught = (error: unknown): void =>
    this.#found(`Nothing caught ${error instanceof Error ? error.stack : String(error)}`, this.sent)

  #found(what: string, at: number | 'all'): void {
    const finding = { what, case: at === 'all' ? `${mark}:${this.#name}` : `${mark}:${this.#name}:${at}` }
    this.findings.push(finding)
    this.#order.report(`found: ${what} (${finding.case})`)
  }
}

/** What is used, once all that is not has been collected. */
/** What the last messages were made of is let go when their timers end, and what a collection finds later is not kept. */
async function keptMb(): Promise<number> {
  let leastMb = memoryMb()
  for (let look = 0; look < looks; look += 1) {
    await pause(lookMs)
    leastMb = Math.min(leastMb, memoryMb())
  }
  return leastMb
}

function memoryMb(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return Math.round((heapUsed + external) / 1024 / 1024)
}
