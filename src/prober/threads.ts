import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { NatsOptions } from '#bus/nats-options.ts'
import { rarely } from './rare-warnings.ts'
import type { ProberCounts } from './tally.ts'
import type { ProberTransport, ProberWarning, ProberWord, ProberWorkerData } from './worker.ts'

export type ProberThreadsOptions = Omit<ProberWorkerData, 'transport' | 'name'> & {
  threads: number
  /** Unique among all processes of the installation. */
  name: string
  /** Serves a thread's port where the bus is in this process; on NATS threads have connections of their own. */
  bus: { type: 'memory'; attach: (port: MessagePort) => void } | { type: 'nats'; nats: NatsOptions }
  log: { warn: (message: string, details?: Record<string, unknown>) => void }
  /** Told of each thread that died before it was to end; it is started again. */
  onDied?: () => void
  /** Told once a second what a thread did, if it did anything; null when it has ended. */
  onCounted?: (thread: string, counts: ProberCounts | null) => void
  /** Megabytes of heap, beyond which Node ends a thread before it takes the whole process with it. */
  maxHeapMb?: number
}

export type ProberThreads = {
  /** Whether in every thread all its probers have begun, which takes it some time, and again after a death. */
  readonly areReady: boolean
  stop: () => Promise<void>
}

const stopMs = 15_000
const usualMaxHeapMb = 1_024
const youngSpaceMb = 16
/** A thread that died comes back after the first pause, one that dies again and again after twice as long each time. */
const firstRestartMs = 1_000
const longestRestartMs = 60_000
/** A thread that lived this long has not died of its start. */
const soundMs = 60_000

/** Probers in threads of their own, so that a slow check never delays the API or the engine. */
export function startProberThreads(options: ProberThreadsOptions): ProberThreads {
  const { warn } = options.log
  const sayRarely = rarely(
    (message, details, times) => warn(message, times === 1 ? details : { ...details, times }),
    () => performance.now(),
  )
  const onWarning = ({ message, details, times }: ProberWarning): void =>
    times === null ? warn(message, details) : sayRarely(message, details, times)
  const threads = Array.from({ length: options.threads }, (_, index) => {
    const thread = new ProberThread(options, { name: `${options.name}-${index}`, onWarning })
    thread.start()
    return thread
  })
  return {
    get areReady() {
      return threads.every(({ isReady }) => isReady)
    },
    stop: async () => {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

type Identity = { name: string; onWarning: (warning: ProberWarning) => void }

/** Owns one worker after the other, until it is stopped. */
class ProberThread {
  readonly #options: ProberThreadsOptions
  readonly #identity: Identity
  #worker: Worker | null = null
  #restart: NodeJS.Timeout | undefined
  #pauseMs = firstRestartMs
  #isReady = false
  #isStopping = false

  constructor(options: ProberThreadsOptions, identity: Identity) {
    this.#options = options
    this.#identity = identity
  }

  get isReady(): boolean {
    return this.#isReady
  }

  start(): void {
    const startedMs = performance.now()
    const link = linkTo(this.#options.bus)
    let problem = 'it ended by itself'
    const onExit = (): void => {
      link.close()
      this.#worker = null
      this.#isReady = false
      this.#options.onCounted?.(this.#identity.name, null)
      if (!this.#isStopping) this.#onDeath(problem, performance.now() - startedMs)
    }
    try {
      this.#worker = this.#spawn(link)
    } catch (error) {
      // Thrown when the system grants no more threads.
      problem = String(error)
      return onExit()
    }
    link.open()
    this.#worker.on('message', (word: ProberWord) => this.#hear(word))
    this.#worker.on('error', (error) => (problem = String(error)))
    this.#worker.on('exit', onExit)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    const worker = this.#worker
    if (worker === null) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('stop')
    const timer = setTimeout(() => void worker.terminate(), stopMs)
    await ended
    clearTimeout(timer)
  }

  #hear(word: ProberWord): void {
    const { name, onWarning } = this.#identity
    switch (word.type) {
      case 'ready':
        this.#isReady = true
        return
      case 'warning':
        return onWarning(word.warning)
      case 'counts':
        return this.#options.onCounted?.(name, word.counts)
    }
  }

  #spawn({ transport, ports }: Link): Worker {
    const { locations, allowPrivate, denied, hidesInternal, dnsServers, services, references, usesRoots } =
      this.#options
    const { maxHeapMb, witness } = this.#options
    const { name } = this.#identity
    const net = { allowPrivate, denied, hidesInternal, dnsServers, services }
    const workerData: ProberWorkerData = { locations, ...net, references, usesRoots, name, witness, transport }
    return new Worker(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
      workerData,
      transferList: ports,
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMb ?? usualMaxHeapMb,
        maxYoungGenerationSizeMb: youngSpaceMb,
      },
    })
  }

  #onDeath(error: string, livedMs: number): void {
    if (livedMs >= soundMs) this.#pauseMs = firstRestartMs
    const pauseMs = this.#pauseMs
    this.#pauseMs = Math.min(pauseMs * 2, longestRestartMs)
    const { log, onDied } = this.#options
    const details = { thread: this.#identity.name, error, seconds: Math.round(livedMs / 1000), againInMs: pauseMs }
    log.warn('A prober thread died and will be started again.', details)
    onDied?.()
    this.#restart = setTimeout(() => this.start(), pauseMs)
  }
}

/** A thread's way to the engines; `open` once the thread runs. */
type Link = { transport: ProberTransport; ports: MessagePort[]; open: () => void; close: () => void }

function linkTo(bus: ProberThreadsOptions['bus']): Link {
  if (bus.type === 'nats')
    return { transport: { type: 'nats', nats: bus.nats }, ports: [], open: () => {}, close: () => {} }
  const { port1, port2 } = new MessageChannel()
  return {
    transport: { type: 'memory', port: port2 },
    ports: [port2],
    open: () => bus.attach(port1),
    close: () => port1.close(),
  }
}
