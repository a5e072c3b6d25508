// A broker that keeps what src/bus/bus.ts promises and nothing beyond: results are durable, may come twice and in any
// order; all else is told at most once.
import type { Bus, Change, EngineBus, Presence, ProberBus, Unsubscribe } from '#bus/bus.ts'
import { changeCodec, decodeAssignments, encodeAssignments, presenceCodec } from '#bus/codec.ts'
import { announceMs, type Assignment } from '#core/monitors/check.ts'
import { callSettledMs } from '#core/monitors/heartbeat.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { Result } from '#core/results/result.ts'
import { type Context, way, wayMs } from './context.ts'
import { ResultStream } from './result-stream.ts'
import type { Process } from './virtual-time.ts'

/** A publication or a request that gets no answer fails after this time. */
const answerMs = 5_000

type Subscriber<Message> = { process: Process; handler: (message: Message) => void }
type Configurations = Parameters<EngineBus['onConfigurationRequest']>[0]

export class ModelBus {
  readonly #context: Context
  readonly stream: ResultStream
  readonly #presences = new Set<Subscriber<Presence>>()
  readonly #changes = new Set<Subscriber<Change>>()
  readonly #assignments = new Map<string, Subscriber<Assignment[]>>()
  readonly #awayUntil = new WeakMap<Process, number>()
  readonly #presenceOf = new WeakMap<Process, Presence>()
  readonly #configurations = new Set<{ process: Process; handler: Configurations }>()

  constructor(context: Context) {
    this.#context = context
    this.stream = new ResultStream(context, (process) => this.isAway(process))
  }

  /** Loses the connection of a process for so long. What it says meanwhile is lost, and what is said to it. */
  cut(process: Process, ms: number): void {
    const { virtual } = this.#context
    this.#awayUntil.set(process, virtual.nowMs + ms)
    virtual.after(ms, () => {
      const presence = this.#presenceOf.get(process)
      if (presence !== undefined && !process.isDead) this.#announce(process, { ...presence, isFresh: true })
    })
  }

  isAway(process: Process): boolean {
    return (this.#awayUntil.get(process) ?? -Infinity) > this.#context.virtual.nowMs
  }

  engineSide(process: Process): Omit<Bus, keyof ProberBus | 'close'> {
    const { stream } = this
    return {
      assign: (location, prober, list) => {
        const { name: engine, time } = process
        this.#context.watchdogs.asked.note({ engine, nowMs: time.nowMs(), location, prober }, list)
        if (!this.isAway(process)) this.#assign(`${location}/${prober}`, encodeAssignments(list))
      },
      tryCheck: async () => {
        throw new Error('There are no trials here.')
      },
      onResults: (handler) => stream.onResults(process, handler),
      holdPartitions: (partitions) => stream.hold(process, partitions),
      releasePartitions: (partitions) => stream.release(process, partitions),
      hasHeard: (partitions) => stream.hasHeard(process, partitions),
      onConfigurationRequest: (handler) => added(this.#configurations, { process, handler }),
      onCountersigning: () => () => {},
      onRoutes: () => () => {},
      onPresence: (handler) => this.#subscribe(this.#presences, { process, handler }),
      announceChange: (change) => {
        if (!this.isAway(process)) this.announceChange(change)
      },
      onChange: (handler) => this.#subscribe(this.#changes, { process, handler }),
      isConnected: () => !this.isAway(process),
      delays: { presenceMs: announceMs + 1_000, resultMs: 1_000, callMs: callSettledMs },
      readBacklog: async () => [],
    }
  }

  proberSide(process: Process): ProberBus {
    return {
      announce: (presence) => {
        if (!presence.isLeaving) this.#presenceOf.set(process, presence)
        this.#announce(process, presence)
      },
      onAssignments: (location, prober, handler) => {
        const address = `${location}/${prober}`
        this.#assignments.set(address, { process, handler })
        return () => this.#assignments.delete(address)
      },
      requestConfigurations: (location, ids) => this.#request(process, location, ids),
      publishResults: (_location, results) => this.#publish(process, results),
      onTrials: () => () => {},
      tellRoute: () => {},
      answerTrial: () => {},
    }
  }

  /** As an API uses it, for the calls that it takes. */
  callSide(process: Process): Pick<Bus, 'publishResults' | 'isConnected'> {
    return {
      publishResults: (_location, results) => this.#publish(process, results),
      isConnected: () => !this.isAway(process),
    }
  }

  announceChange(change: Change): void {
    const bytes = changeCodec.encode(change)
    this.#tell(this.#changes, () => changeCodec.decode(bytes))
  }

  #announce(process: Process, presence: Presence): void {
    if (this.isAway(process)) return
    const bytes = presenceCodec.encode(presence)
    this.#tell(this.#presences, () => presenceCodec.decode(bytes))
  }

  #subscribe<Message>(subscribers: Set<Subscriber<Message>>, subscriber: Subscriber<Message>): Unsubscribe {
    subscriber.process.onDeath(() => subscribers.delete(subscriber))
    return added(subscribers, subscriber)
  }

  #tell<Message>(subscribers: ReadonlySet<Subscriber<Message>>, read: () => Message): void {
    for (const subscriber of subscribers) this.#send(subscriber, read)
  }

  #assign(address: string, bytes: Uint8Array): void {
    const subscriber = this.#assignments.get(address)
    if (subscriber !== undefined) this.#send(subscriber, () => decodeAssignments(bytes))
  }

  #send<Message>({ process, handler }: Subscriber<Message>, read: () => Message): void {
    const { virtual, mischief, trace } = this.#context
    if (this.isAway(process) || mischief.strikes('lost')) return trace.say(`a message to ${process.name} is lost`)
    virtual.after(wayMs(this.#context), () => process.run(() => handler(read())))
  }

  async #request(process: Process, location: string, ids: string[]): ReturnType<ProberBus['requestConfigurations']> {
    const { random, mischief } = this.#context
    await way(this.#context, process)
    const answering = random.pick(
      [...this.#configurations].filter((each) => !each.process.isDead && !this.isAway(each.process)),
    )
    if (answering === undefined || this.isAway(process) || mischief.strikes('lost')) {
      await process.time.pause(answerMs)
      throw new Error('No engine answered.')
    }
    const answer = answering.handler(location, ids)
    const isLate = process.time.pause(answerMs).then(() => null)
    const configurations = await Promise.race([answer, isLate])
    if (configurations === null) throw new Error('No engine answered in time.')
    await way(this.#context, process)
    return configurations
  }

  async #publish(process: Process, results: readonly Result[]): Promise<void> {
    this.#context.watchdogs.sent.note(process, results)
    const parts = Map.groupBy(results, ({ monitorId }) => partitionOf(monitorId))
    await Promise.all(Array.from(parts, ([partition, list]) => this.#publishPart(process, partition, list)))
  }

  async #publishPart(process: Process, partition: number, results: readonly Result[]): Promise<void> {
    const { mischief, trace, watchdogs } = this.#context
    await way(this.#context, process)
    const isLost = this.isAway(process) || mischief.strikes('lost')
    if (!isLost) {
      this.stream.add(partition, results)
      watchdogs.sent.kept(results)
    }
    if (isLost || mischief.strikes('lost')) {
      trace.say(`${process.name} ${isLost ? 'could not publish' : 'does not hear that it published'}`)
      await process.time.pause(answerMs)
      throw new Error('The broker did not answer.')
    }
    await way(this.#context, process)
  }
}

function added<Item>(set: Set<Item>, item: Item): Unsubscribe {
  set.add(item)
  return () => set.delete(item)
}
