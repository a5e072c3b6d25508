import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { type Link as BusLink, portLink, type ToBus, type ToProber } from '#bus/link.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import type { ProberTransport, ProberWarning, ProberWord, ProberWorkerData, ThreadOrder } from './prober-thread.ts'
import type { Span } from '#otlp/span.ts'
import { createMemoryDeaths, type MemoryDeaths } from './memory-deaths.ts'
import { rarely } from './rare-warnings.ts'
import { createRestartPause } from './restart-pause.ts'
import { type Aside, type AsideBook, asideKeyOf, createAsideBook, endedReasons } from './set-aside.ts'
import type { ProberCounts } from './tally.ts'
import { createWatchdog, watchdogTickMs } from './watchdog.ts'
import { createWorkMemory, readWork, type Work, type WorkReader } from './work-marks.ts'

type OfThread = 'transport' | 'name' | 'memory' | 'asides' | 'endedTrial' | 'traceShare'

export type ProberThreadsOptions = Omit<ProberWorkerData, OfThread> & {
  threads: number
  /** Unique among all processes of the installation. */
  name: string
  /** Serves a thread where the bus is in this process; on NATS threads have connections of their own. */
  bus:
    | { type: 'memory'; attach: (link: BusLink<ToProber, ToBus>, locations: readonly string[]) => void }
    | { type: 'nats'; nats: NatsOptions }
  log: { warn: (message: string, details?: Record<string, unknown>) => void }
  /** Told of each thread that died before it was to end; it is started again. */
  onDied?: () => void
  /** Told once a second what a thread did, if it did anything; null when it has ended. */
  onCounted?: (thread: string, counts: ProberCounts | null) => void
  /** Told of each monitor that is set aside, because a check of it took the processor or the memory of its thread. */
  onSetAside?: (aside: { monitorId: string; forMs: number }) => void
  /** What was set aside before, by threads that had another book, and who is told of all that is written in this one. */
  asides?: readonly Aside[]
  onAside?: (aside: Aside) => void
  /** Told when a thread is ready, and when one has ended. */
  onChanged?: () => void
  /** Of all rounds, those that are traced, and who is given the spans of their checks. Default: none. */
  traces?: { share: number; onSpans: (spans: readonly Span[]) => void } | null
  /** Megabytes of heap, beyond which Node ends a thread before it takes the whole process with it. */
  maxHeapMb?: number
  /** The time of the processor that one check may take; `maxCpuMs` of the watchdog unless told. */
  mostCpuMs?: number
  /** What each thread runs, which calls `runProbers`; `worker.ts` unless told. */
  program?: URL
}

export type ProberThreads = {
  /** Whether in every thread all its probers have begun, which takes it some time, and again after a death. */
  readonly areReady: boolean
  /** Whether all threads were ready at some time: what they do later is another matter than the start. */
  readonly haveBegun: boolean
  /** Threads that are not ready now. */
  readonly missing: number
  stop: () => Promise<void>
}

const stopMs = 15_000
export const usualMaxHeapMb = 1_024
const youngSpaceMb = 16

/** Probers in threads of their own, so that a slow check never delays the API or the engine. */
export function startProberThreads(options: ProberThreadsOptions): ProberThreads {
  const { warn } = options.log
  const sayRarely = rarely(
    (message, details, times) => warn(message, times === 1 ? details : { ...details, times }),
    () => performance.now(),
  )
  const onWarning = ({ message, details, times }: ProberWarning): void =>
    times === null ? warn(message, details) : sayRarely(message, details, times)
  const asides = createAsideBook(() => performance.now(), options.asides)
  const memoryDeaths = createMemoryDeaths(() => performance.now())
  const onEnded = (work: Work, by: Ended['by']): void => {
    const key = asideKeyOf(work)
    if (key === null) return
    const aside = asides.put(key, { at: new Date(), why: endedReasons[by] })
    for (const thread of threads) thread.setAside(aside)
    options.onAside?.(aside)
    if (work.type === 'check') options.onSetAside?.({ monitorId: work.monitorId, forMs: aside.forMs })
  }
  const threads = Array.from({ length: options.threads }, (_, index) => {
    const name = `${options.name}-${index}`
    const thread = new ProberThread(options, { name, onWarning, asides, memoryDeaths, onEnded })
    thread.start()
    return thread
  })
  return {
    get areReady() {
      return threads.every(({ isReady }) => isReady)
    },
    get haveBegun() {
      return threads.every(({ hasBegun }) => hasBegun)
    },
    get missing() {
      return threads.filter(({ isReady }) => !isReady).length
    },
    stop: async () => {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

/** The work with which a thread ended, and what that took of it. */
type Ended = { work: Work; by: keyof typeof endedReasons }

type Surroundings = {
  name: string
  onWarning: (warning: ProberWarning) => void
  asides: Pick<AsideBook, 'list'>
  memoryDeaths: MemoryDeaths
  /** Told of the work with which a thread ended. */
  onEnded: (work: Work, by: Ended['by']) => void
}

/** Owns one worker after the other, until it is stopped. */
class ProberThread {
  readonly #options: ProberThreadsOptions
  readonly #surroundings: Surroundings
  #worker: Worker | null = null
  #restart: NodeJS.Timeout | undefined
  readonly #pause = createRestartPause()
  #isReady = false
  #hasBegun = false
  #isStopping = false
  /** With what the last thread ended, where that is known. */
  #ended: Ended | null = null

  constructor(options: ProberThreadsOptions, surroundings: Surroundings) {
    this.#options = options
    this.#surroundings = surroundings
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  start(): void {
    const startedMs = performance.now()
    const link = linkTo(this.#options)
    const memory = createWorkMemory()
    const reader = readWork(memory)
    let problem: unknown = 'it ended by itself'
    let watch: NodeJS.Timeout | undefined
    const onExit = (): void => {
      clearInterval(watch)
      link.close()
      this.#worker = null
      this.#isReady = false
      this.#options.onCounted?.(this.#surroundings.name, null)
      this.#options.onChanged?.()
      const work = reader.seen().check === 0 ? null : reader.work()
      if (!this.#isStopping) this.#onDeath({ problem, work, livedMs: performance.now() - startedMs })
    }
    try {
      this.#worker = this.#spawn(link, memory)
    } catch (error) {
      // Thrown when the system grants no more threads.
      problem = error
      return onExit()
    }
    link.open()
    watch = this.#watch(this.#worker, reader)
    this.#worker.on('message', (word: ProberWord) => this.#hear(word))
    this.#worker.on('error', (error) => (problem = error))
    this.#worker.on('exit', onExit)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    const worker = this.#worker
    if (worker === null) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    tell(worker, { type: 'stop' })
    const timer = setTimeout(() => void worker.terminate(), stopMs)
    await ended
    clearTimeout(timer)
  }

  setAside(aside: Aside): void {
    if (this.#worker !== null) tell(this.#worker, { type: 'set aside', aside })
  }

  #hear(word: ProberWord): void {
    const { name, onWarning } = this.#surroundings
    switch (word.type) {
      case 'ready':
        this.#isReady = true
        this.#hasBegun = true
        return this.#options.onChanged?.()
      case 'warning':
        return onWarning(word.warning)
      case 'counts':
        return this.#options.onCounted?.(name, word.counts)
      case 'spans':
        return this.#options.traces?.onSpans(word.spans)
    }
  }

  #watch(worker: Worker, reader: WorkReader): NodeJS.Timeout {
    const watchdog = createWatchdog({
      reader,
      readCpuMs: async () => {
        const { user, system } = await worker.cpuUsage()
        return (user + system) / 1_000
      },
      onOverrun: (work) => this.#endWith(work, worker),
      mostCpuMs: this.#options.mostCpuMs,
    })
    return setInterval(() => void watchdog.tick(), watchdogTickMs)
  }

  #endWith(work: Work, worker: Worker): void {
    const { name, onEnded } = this.#surroundings
    this.#options.log.warn(`A ${work.type} used up the processor time of its thread, so the thread was ended.`, {
      thread: name,
      ...detailsOf(work),
    })
    this.#ended = { work, by: 'processor' }
    onEnded(work, 'processor')
    void worker.terminate()
  }

  #spawn({ transport, ports }: Link, memory: SharedArrayBuffer): Worker {
    const { locations, allowPrivate, denied, hidesInternal, ownNetwork, dnsServers, services, references, usesRoots } =
      this.#options
    const {
      maxHeapMb,
      witness,
      only,
      resumesTls,
      runsScripts,
      traces,
      program = new URL('./worker.ts', import.meta.url),
    } = this.#options
    const { name, asides } = this.#surroundings
    const net = { allowPrivate, denied, hidesInternal, ownNetwork, dnsServers, resumesTls, runsScripts, services }
    const own = {
      name,
      transport,
      memory,
      asides: asides.list(),
      endedTrial: endedTrialOf(this.#ended),
      traceShare: traces?.share ?? null,
    }
    const workerData: ProberWorkerData = { locations, ...net, references, usesRoots, witness, only, ...own }
    this.#ended = null
    return new Worker(fileURLToPath(program), {
      workerData,
      transferList: ports,
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMb ?? usualMaxHeapMb,
        maxYoungGenerationSizeMb: youngSpaceMb,
      },
    })
  }

  #onDeath({ problem, work, livedMs }: Death): void {
    const { log, onDied } = this.#options
    onDied?.()
    if (work !== null && isOutOfMemory(problem)) this.#ended ??= { work, by: 'memory' }
    // What ended it is set aside, so that nothing speaks against beginning at once.
    if (this.#ended !== null && this.#isSetAside(this.#ended)) return this.start()
    const pauseMs = this.#pause.next(livedMs)
    const seconds = Math.round(livedMs / 1000)
    const details = { thread: this.#surroundings.name, error: String(problem), seconds, again_in_ms: pauseMs }
    const at = this.#ended === null ? {} : detailsOf(this.#ended.work)
    log.warn('A prober thread died and will be restarted.', { ...details, ...at })
    this.#restart = setTimeout(() => this.start(), pauseMs)
  }

  /** What took the processor is already; what took the memory is where it did so twice. */
  #isSetAside({ work, by }: Ended): boolean {
    const { name, memoryDeaths, onEnded } = this.#surroundings
    if (by === 'processor') return true
    if (!memoryDeaths.note(work)) return false
    this.#options.log.warn(`A ${work.type} used up the memory of its thread, so the thread died.`, {
      thread: name,
      ...detailsOf(work),
    })
    onEnded(work, 'memory')
    return true
  }
}

/** `work` is what the thread was at; null where it was at none. */
type Death = { problem: unknown; work: Work | null; livedMs: number }

function isOutOfMemory(problem: unknown): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function detailsOf({ type, location, monitorId }: Work): Record<string, string> {
  return { location, ...(type === 'check' ? { monitor_id: monitorId } : {}) }
}

function tell(worker: Worker, order: ThreadOrder): void {
  worker.postMessage(order)
}

function endedTrialOf(ended: Ended | null): ProberWorkerData['endedTrial'] {
  if (ended?.work.type !== 'trial') return null
  const { location, monitorId: trialId } = ended.work
  return { location, trialId, reason: endedReasons[ended.by] }
}

/** A thread's way to the engines; `open` once the thread runs. */
type Link = { transport: ProberTransport; ports: MessagePort[]; open: () => void; close: () => void }

function linkTo({ bus, locations }: Pick<ProberThreadsOptions, 'bus' | 'locations'>): Link {
  if (bus.type === 'nats')
    return { transport: { type: 'nats', nats: bus.nats }, ports: [], open: () => {}, close: () => {} }
  const { port1, port2 } = new MessageChannel()
  return {
    transport: { type: 'memory', port: port2 },
    ports: [port2],
    open: () =>
      bus.attach(
        portLink(port1),
        locations.map(({ code }) => code),
      ),
    close: () => port1.close(),
  }
}
