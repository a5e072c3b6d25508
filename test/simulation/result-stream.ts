// Results that wait to be stored, with one consumer a partition, as src/bus/nats-result-consumer.ts uses it: the engine that comes
// to hold the partition makes the consumer anew, and all who hold it, or believe so, get messages of it.
import type { ResultHandler, Unsubscribe } from '#bus/bus.ts'
import { decodeResults, encodeResults } from '#bus/codec.ts'
import type { Result } from '#core/results/result.ts'
import { type Context, wayMs } from './context.ts'
import type { Process } from './virtual-time.ts'

type Message = {
  readonly number: number
  readonly partition: number
  readonly addedMs: number
  readonly bytes: Uint8Array
}

type InHand = {
  readonly process: Process
  /** Ends the wait for its acknowledgement. */
  readonly cancel: () => void
}

type Partition = {
  readonly waiting: Set<Message>
  readonly takers: Set<Process>
  /** Messages that this consumer handed out and that are neither acknowledged nor given back. */
  readonly inHand: Map<Message, InHand>
  /** Whether another look is due, because all who take messages were away. */
  isLookedAt: boolean
}

/** A message that was not acknowledged comes again after this time. */
const againMs = 30_000
/** A message that was handed back comes again after this time. */
const backMs = 500
const catchUpMs = 60_000
const settleMs = 5_000
const hearMs = 10_000
const lookMs = 100

export class ResultStream {
  readonly #context: Context
  readonly #isAway: (process: Process) => boolean
  readonly #partitions = new Map<number, Partition>()
  readonly #handlers = new Map<Process, ResultHandler>()
  #last = 0

  constructor(context: Context, isAway: (process: Process) => boolean) {
    this.#context = context
    this.#isAway = isAway
  }

  /** For how long the oldest message waits. */
  get oldestMs(): number {
    const { nowMs } = this.#context.virtual
    const added = [...this.#partitions.values()].flatMap(({ waiting }) => Array.from(waiting, ({ addedMs }) => addedMs))
    return nowMs - Math.min(nowMs, ...added)
  }

  add(number: number, results: readonly Result[]): void {
    for (const bytes of encodeResults([...results])) {
      this.#last += 1
      const addedMs = this.#context.virtual.nowMs
      this.#of(number).waiting.add({ number: this.#last, partition: number, addedMs, bytes })
    }
    this.#pump(number)
  }

  onResults(process: Process, handler: ResultHandler): Unsubscribe {
    this.#handlers.set(process, handler)
    return () => this.#handlers.delete(process)
  }

  async hold(process: Process, numbers: readonly number[]): Promise<void> {
    await Promise.all(numbers.map((number) => this.#holdOne(process, number)))
  }

  async release(process: Process, numbers: readonly number[]): Promise<void> {
    const ours = numbers.map((number) => this.#of(number))
    for (const { takers } of ours) takers.delete(process)
    const isSettled = ({ inHand }: Partition): boolean => [...inHand.values()].every((each) => each.process !== process)
    await this.#until(process, settleMs, () => ours.every(isSettled))
  }

  async hasHeard(process: Process, numbers: readonly number[]): Promise<boolean> {
    if (this.#isAway(process)) return false
    const durable = numbers.map((number) => [this.#of(number), [...this.#of(number).waiting]] as const)
    return this.#until(process, hearMs, () =>
      durable.every(([{ waiting }, messages]) => messages.every((message) => !waiting.has(message))),
    )
  }

  async #holdOne(process: Process, number: number): Promise<void> {
    const partition = this.#of(number)
    partition.takers.add(process)
    process.onDeath(() => partition.takers.delete(process))
    const isOver = (): boolean => !partition.takers.has(process)
    await this.#until(process, Infinity, () => isOver() || !this.#isAway(process))
    if (isOver()) return
    for (const { cancel } of partition.inHand.values()) cancel()
    partition.inHand.clear()
    const before = [...partition.waiting]
    this.#pump(number)
    await this.#until(process, catchUpMs, () => isOver() || before.every((each) => !partition.waiting.has(each)))
  }

  #of(number: number): Partition {
    const partition = this.#partitions.get(number) ?? {
      waiting: new Set(),
      takers: new Set(),
      inHand: new Map(),
      isLookedAt: false,
    }
    this.#partitions.set(number, partition)
    return partition
  }

  /** Hands out what waits to those who ask for it. One that was away asks anew when it is back. */
  #pump(number: number): void {
    const { virtual, random, mischief } = this.#context
    const partition = this.#of(number)
    const { takers, waiting, inHand } = partition
    const asking = [...takers].filter((process) => !this.#isAway(process))
    if (asking.length === 0 && takers.size > 0 && waiting.size > inHand.size && !partition.isLookedAt) {
      partition.isLookedAt = true
      virtual.after(lookMs, () => {
        partition.isLookedAt = false
        this.#pump(number)
      })
    }
    for (const message of waiting) {
      const process = random.pick(asking)
      if (process === undefined || inHand.has(message)) continue
      const hand = { process, cancel: virtual.after(againMs, () => this.#back(message, hand)) }
      inHand.set(message, hand)
      const times = mischief.strikes('doubled') ? 2 : 1
      for (let time = 0; time < times; time += 1)
        virtual.after(wayMs(this.#context), () => process.run(() => void this.#deliver(message, hand)))
    }
  }

  async #deliver(message: Message, hand: InHand): Promise<void> {
    const { process } = hand
    const { watchdogs, virtual, mischief, trace } = this.#context
    const partition = this.#of(message.partition)
    if (this.#isAway(process)) return
    const handler = this.#handlers.get(process)
    const results = decodeResults(message.bytes)
    try {
      if (handler === undefined || !partition.takers.has(process)) throw new Error('It takes nothing more.')
      await handler(results)
    } catch {
      virtual.after(backMs, () => this.#back(message, hand))
      return
    }
    watchdogs.acknowledged(results)
    if (this.#isAway(process) || mischief.strikes('lost'))
      return trace.say(`the acknowledgement of message ${message.number} is lost`)
    virtual.after(wayMs(this.#context), () => {
      if (this.#end(message, hand)) partition.waiting.delete(message)
    })
  }

  #back(message: Message, hand: InHand): void {
    if (this.#end(message, hand)) this.#pump(message.partition)
  }

  /** False where it was given back or settled before, or handed out by a consumer that is no more. */
  #end(message: Message, hand: InHand): boolean {
    const { inHand } = this.#of(message.partition)
    if (inHand.get(message) !== hand) return false
    hand.cancel()
    inHand.delete(message)
    return true
  }

  /** Looks until it holds or the time is over; whether it holds then. */
  async #until(process: Process, withinMs: number, holds: () => boolean): Promise<boolean> {
    const endMs = this.#context.virtual.nowMs + withinMs
    while (!holds() && this.#context.virtual.nowMs < endMs) await process.time.pause(lookMs)
    return holds()
  }
}
