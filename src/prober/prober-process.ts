import type { ToBus, ToProber } from '#bus/link.ts'
import { type BoundedWarnings, boundedWarnings } from './bounded-warnings.ts'
import { type Child, startChild } from './child.ts'
import { createCountLimit } from './count-limit.ts'
import type { Frame } from './frames.ts'
import type { ProcessOrder, ProcessOrders } from './process-orders.ts'
import { type ProcessWord, processWordSchema } from './process-words.ts'
import { createRestartPause } from './restart-pause.ts'
import type { Aside } from './set-aside.ts'
import { type ProberThreads, type ProberThreadsOptions, usualMaxHeapMb } from './threads.ts'
import { systemTime } from '#time/time.ts'

export type ProberProcessOptions = {
  /** All of the environment that the process is given. */
  environment: Readonly<Record<string, string>>
  log: ProberThreadsOptions['log']
  /** Of each thread's heap, and of what is beside them. */
  maxHeapMb?: number
  program?: URL
}

/** Until probers begin, the process waits: it is started while what they need is not known yet. */
export type ProberProcess = {
  begin: (options: ProberThreadsOptions) => ProberThreads
  stop: () => Promise<void>
}

/** Threads have 15 s, so that this is over when they are. */
const stopMs = 16_000

/** Threads of probers in a process of their own, which shares no memory with this one. */
export function startProberProcess(options: ProberProcessOptions): ProberProcess {
  const kept = new KeptProcess(options)
  return { begin: (given) => kept.begin(given), stop: () => kept.stop() }
}

/** Owns one process after the other, until it is stopped. */
class KeptProcess {
  readonly #options: ProberProcessOptions
  readonly #pause = createRestartPause()
  /** Of one process after the other: a process that lies could end itself whenever it has said enough. */
  readonly #warnings: BoundedWarnings
  #begun: ProberThreadsOptions | null = null
  #child: Child | null = null
  #served: Served | null = null
  #restart: NodeJS.Timeout | undefined
  #hasBegun = false
  #isStopping = false
  /** By key. A process that dies takes its own book with it. */
  readonly #asides = new Map<string, { aside: Aside; untilMs: number }>()

  constructor(options: ProberProcessOptions) {
    this.#options = options
    this.#warnings = boundedWarnings(options.log.warn, systemTime)
    this.#start()
  }

  begin(options: ProberThreadsOptions): ProberThreads {
    this.#begun = options
    this.#order(options)
    const missing = (): number => this.#served?.missing ?? options.threads
    const hasBegun = (): boolean => this.#hasBegun
    return {
      get areReady() {
        return missing() === 0
      },
      get haveBegun() {
        return hasBegun()
      },
      get missing() {
        return missing()
      },
      stop: () => this.stop(),
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    const stopping = this.#begun === null ? 0 : stopMs
    this.#child?.send({ type: 'stop' } satisfies ProcessOrder)
    await this.#child?.endWithin(stopping)
    this.#warnings.end()
  }

  #start(): void {
    const startedMs = performance.now()
    const { environment, maxHeapMb = usualMaxHeapMb, program } = this.#options
    const onEnded = (problem: string): void => this.#onEnded(problem, performance.now() - startedMs)
    try {
      this.#child = startChild({
        program: program ?? new URL('./process-worker.ts', import.meta.url),
        environment,
        nodeOptions: [...optionsForChecks(process.execArgv), `--max-old-space-size=${maxHeapMb}`],
        onFrame: (frame) => this.#served?.hear(frame),
        onEnded,
      })
    } catch (error) {
      // Thrown when the system grants no more processes.
      return onEnded(String(error))
    }
    if (this.#begun !== null) this.#order(this.#begun)
  }

  #order(options: ProberThreadsOptions): void {
    const child = this.#child
    if (child === null) return
    const onBegun = (): void => void (this.#hasBegun = true)
    const { warn } = this.#warnings
    this.#served = new Served(options, { send: child.send, warn, onBegun, onAside: (aside) => this.#keep(aside) })
    const orders = ordersOf(options, { asides: this.#asidesNow(), maxHeapMb: this.#options.maxHeapMb })
    child.send({ type: 'begin', orders } satisfies ProcessOrder)
  }

  #onEnded(problem: string, livedMs: number): void {
    this.#child = null
    this.#served?.end()
    this.#served = null
    if (this.#isStopping) return
    for (let thread = 0; thread < (this.#begun?.threads ?? 0); thread += 1) this.#begun?.onDied?.()
    const pauseMs = this.#pause.next(livedMs)
    const details = { error: problem, seconds: Math.round(livedMs / 1000), again_in_ms: pauseMs }
    this.#options.log.warn('The process of the probers died and will be restarted.', details)
    this.#restart = setTimeout(() => this.#start(), pauseMs)
  }

  #keep(aside: Aside): void {
    this.#asides.delete(aside.key)
    const [oldest] = this.#asides.keys()
    if (this.#asides.size >= maxAsides && oldest !== undefined) this.#asides.delete(oldest)
    this.#asides.set(aside.key, { aside, untilMs: performance.now() + aside.forMs })
  }

  #asidesNow(): Aside[] {
    const now = performance.now()
    return Array.from(this.#asides.values(), ({ aside, untilMs }) => ({ ...aside, forMs: untilMs - now })).filter(
      ({ forMs }) => forMs > 0,
    )
  }
}

/** As many as the process itself keeps. */
const maxAsides = 1_000

/** The flags of Node by which checks trust and dial, and by which its heap is as large as this process's. */
function optionsForChecks(given: readonly string[]): string[] {
  const kept =
    /^--(?:max-semi-space-size|use-(?:system|openssl|bundled)-ca|openssl-[a-z-]+|tls-[a-z0-9.-]+|dns-result-order)(?:=|$)/
  return given.filter((option) => kept.test(option))
}

type Own = { asides: readonly Aside[]; maxHeapMb: number | undefined }

/** Named one by one, so that nothing crosses that was not meant to. */
function ordersOf(options: ProberThreadsOptions, { asides, maxHeapMb }: Own): ProcessOrders {
  const { threads, name, witness, only, locations, allowPrivate, denied, hidesInternal, ownNetwork, dnsServers } =
    options
  const { resumesTls, runsScripts, services, references, usesRoots, bus, traces } = options
  const reach = { allowPrivate, denied, hidesInternal, ownNetwork, dnsServers }
  const net = { ...reach, resumesTls, runsScripts, services, references, usesRoots }
  return {
    threads,
    name,
    witness,
    only,
    locations,
    ...net,
    asides,
    ...(maxHeapMb === undefined ? {} : { maxHeapMb }),
    bus: bus.type === 'nats' ? { type: 'nats', nats: bus.nats } : { type: 'memory' },
    traceShare: traces?.share ?? null,
  }
}

type Around = Pick<Child, 'send'> &
  Pick<BoundedWarnings, 'warn'> & { onBegun: () => void; onAside: (aside: Aside) => void }

/** Of its head, in characters: twice what the process cuts its warnings to. */
const maxWarning = 128 * 1024

/** One process after its probers were ordered to begin. */
class Served {
  readonly #options: ProberThreadsOptions
  readonly #around: Around
  /** Threads of which there are counts. */
  readonly #counted = new Set<string>()
  readonly #isTooMuch = createCountLimit(() => performance.now())
  #toBus: (message: ToBus) => void = () => {}
  #leaveBus: () => void = () => {}
  missing: number

  constructor(options: ProberThreadsOptions, around: Around) {
    this.#options = options
    this.#around = around
    this.missing = options.threads
    if (options.bus.type === 'memory')
      options.bus.attach(
        {
          post: (message) => tellProber(around.send, message),
          onMessage: (handler) => void (this.#toBus = handler),
          onClose: (handler) => void (this.#leaveBus = handler),
        },
        options.locations.map(({ code }) => code),
      )
  }

  /** Throws for what is no word of a prober. */
  hear({ head, body }: Frame): void {
    const { data: word } = processWordSchema.safeParse(JSON.parse(head))
    if (word === undefined) throw new Error(`${head.slice(0, 200)} is no word`)
    const options = this.#options
    const around = this.#around
    switch (word.type) {
      case 'alive':
        return
      case 'threads':
        this.missing = Math.min(word.missing, options.threads)
        return word.haveBegun ? around.onBegun() : undefined
      case 'died':
        return options.onDied?.()
      case 'counts':
        return this.#count(word)
      case 'aside':
        return around.onAside(word.aside)
      case 'set aside':
        return options.onSetAside?.(word)
      case 'warning':
        if (head.length > maxWarning) throw new Error('A warning is longer than any that is said')
        return around.warn(word.message, word.details)
      case 'spans':
        return options.traces?.onSpans(word.spans)
      case 'listen':
      case 'leave':
        return this.#toBus(word)
      case 'announce':
      case 'publish':
      case 'request':
      case 'route':
      case 'answer':
        return this.#toBus({ ...word, bytes: body })
    }
  }

  end(): void {
    this.#leaveBus()
    for (const thread of this.#counted) this.#options.onCounted?.(thread, null)
  }

  #count({ thread, counts }: Extract<ProcessWord, { type: 'counts' }>): void {
    const { threads, name, onCounted } = this.#options
    if (this.#isTooMuch(counts?.checks.reduce((sum, { checks }) => sum + checks, 0) ?? 0))
      throw new Error('More checks are counted than any process makes')
    if (counts === null) this.#counted.delete(thread)
    else if (this.#counted.size >= threads && !this.#counted.has(thread))
      throw new Error(`${thread} is no thread of ${name}.`)
    else this.#counted.add(thread)
    onCounted?.(thread, counts)
  }
}

function tellProber(send: Child['send'], message: ToProber): void {
  if (message.type === 'told') {
    const { bytes, ...told } = message
    return send(told satisfies ProcessOrder, bytes)
  }
  const { bytes, ...answered } = message
  send({ ...answered, hasBytes: bytes !== null } satisfies ProcessOrder, bytes ?? undefined)
}
