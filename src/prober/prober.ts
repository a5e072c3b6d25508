import type { ProberBus } from '#bus/bus.ts'
import type { Evidence } from '#core/incidents/evidence.ts'
import type { View } from '#core/incidents/view.ts'
import { announceMs, type Assignment, type CheckConfiguration } from '#core/monitors/check.ts'
import { checkTimeMs } from '#core/monitors/kind-traits.ts'
import type { RoundLine } from '#core/log-lines.ts'
import { concluded } from '#core/results/inverted.ts'
import { type Result, type Verdict, withCleanTexts } from '#core/results/result.ts'
import { roundGraceMs } from '#core/results/round.ts'
import type { AnyKind, LoadKind } from '#kinds/kind.ts'
import type { Ground } from '#net/ground/ground.ts'
import { clearSight, type Sight } from '#net/ground/sight.ts'
import type { Mark, Traffic } from '#net/ground/trace.ts'
import type { Net } from '#net/net.ts'
import type { Tracer } from '#otlp/tracer.ts'
import { MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'
import { type Attention, checkAttentively } from './attentive.ts'
import { type CheckTraces, createCheckTraces } from './check-traces.ts'
import { createConfigurationCache } from './configuration-cache.ts'
import { type Checked as Seen, createFailureEvidence, type FailureEvidence } from './failure-evidence.ts'
import { type Begun, createFairQueue, type FairQueue } from './fair-queue.ts'
import { createGroundedChecks, type GroundedChecks, type Reached } from './grounded.ts'
import { MissingConfigurations } from './missing-configurations.ts'
import { createMonitorRoutes, type MonitorRoutes } from './monitor-routes.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { RouteTraces } from './route-traces.ts'
import type { Asides } from './set-aside.ts'
import type { StallWatch } from './stall.ts'
import type { ProberLoad, ProberObserver } from './tally.ts'
import { unchecked } from './unchecked.ts'
import { createToldAddresses, type ToldAddresses } from './told-addresses.ts'
import { createUntoldRounds } from './untold-rounds.ts'
import type { Time } from '#time/time.ts'
import type { WorkMarks } from './work-marks.ts'

export type ProberOptions = {
  /** The location this prober checks from, by its code and for people, and its own name, unique among all probers. */
  location: string
  locationName: string
  name: string
  /** The machine on which it stands, or what the operator calls it: locations of one machine are one witness. */
  witness: string
  /** What it checks alone. Default: all that there is. */
  only?: 'browser' | null
  bus: ProberBus
  net: Net
  /** For checks that may reach private addresses; null where no monitor's owner can let them. Default: null. */
  privateNet?: Net | null
  kinds: Readonly<Partial<Record<string, LoadKind>>>
  /** What answers trials that ask for a product (`looksFor`). Default: nothing does. */
  lookFor?: AnyKind['check'] | null
  stalls: StallWatch
  ground: Ground
  traffic: Pick<Traffic, 'during' | 'isConclusive'>
  marks: Pick<WorkMarks, 'of' | 'tookMs'>
  asides: Pick<Asides, 'reasonFor' | 'monitors'>
  /** False for addresses that are kept from who reads the results. Default: all are shown. */
  isShown?: (address: string) => boolean
  /** Default: no routes are looked for. */
  routes?: RouteTraces | null
  observer: ProberObserver
  /** Default: no check is traced. */
  tracer?: Tracer | null
  time: Time
  /** From 0 to 1. */
  random: () => number
  log: {
    warn: (message: string, details?: Record<string, unknown>) => void
    /** For warnings that every check may repeat. */
    warnRarely: (message: string, details: Record<string, unknown>) => void
  }
}

export type Prober = { stop: () => Promise<void>; load: () => ProberLoad }

/** A target that hangs keeps its place for its whole timeout: some hundred of them must not hold up the others. */
const maxChecksAtOnce = 4_096
/** Checks begun in one turn of the event loop; with more the turn gets long, and those under way look slow. */
const maxBegunAtOnce = 64
/** Assignments that wait for a free place or for their configuration; beyond it they are not taken. */
const maxQueued = 50_000
const stopMs = 10_000
const stopLookMs = 10
/** A person waits for each trial, so more of them are answered at once, without a verdict. */
const maxTrialsAtOnce = 64
/** A verdict of the last moment has to reach its engine before the round closes. */
const sendMs = 1_000

/** `configuration` is null until it is needed, or has been asked for. */
type Task = Assignment & { arrivedMs: number; configuration: CheckConfiguration | null }

/** `verdict` is null when the check told nothing. */
type Checked = {
  verdict: Verdict | null
  startedMs: number
  /** When the verdict was known, where something else was done afterwards. */
  judgedMs?: number
  evidence?: Evidence | null
  view?: View | null
  reached?: string | null
}

/** The loop of a location: assignment, configuration, check, result. */
export function startProber(options: ProberOptions): Prober {
  const prober = new RunningProber(options)
  prober.start()
  return prober
}

class RunningProber implements Prober {
  readonly #options: ProberOptions
  readonly #cache = createConfigurationCache()
  readonly #outbox: Outbox
  readonly #grounded: GroundedChecks
  readonly #evidence: FailureEvidence
  readonly #stalled = createUntoldRounds()
  readonly #addresses: ToldAddresses
  readonly #queue: FairQueue<Task>
  readonly #missing: MissingConfigurations<Task>
  readonly #traces: CheckTraces | null
  readonly #routes: MonitorRoutes | null
  #trying = 0
  #hasTurn = false
  #isStopping = false
  #ends: (() => void)[] = []

  constructor(options: ProberOptions) {
    this.#options = options
    const { name: prober, tracer = null, time, random } = options
    this.#traces = tracer === null ? null : createCheckTraces({ tracer, prober, time })
    this.#queue = createFairQueue({ places: maxChecksAtOnce, room: maxQueued, now: time.steadyMs })
    this.#missing = new MissingConfigurations({
      ask: (ids) => options.bus.requestConfigurations(options.location, ids),
      onFound: (configuration, task) => this.#found(configuration, task),
      onAnswered: () => this.#fill(),
      onFailed: (error) => options.log.warn('Configurations could not be read.', { error: String(error) }),
      time,
    })
    this.#grounded = createGroundedChecks(options.ground, options.traffic, time)
    const { isShown = () => true, routes = null } = options
    this.#routes = routes === null ? null : createMonitorRoutes({ ...options, traces: routes })
    this.#addresses = createToldAddresses({ isShown, now: time.steadyMs })
    this.#evidence = createFailureEvidence({
      kinds: options.kinds,
      isShown,
      onFailed: (error, monitorId) =>
        options.log.warnRarely('Evidence could not be made.', { monitor_id: monitorId, error: String(error) }),
    })
    this.#outbox = createOutbox({
      location: options.location,
      bus: options.bus,
      time,
      random,
      onDropped: (results) => {
        this.#traces?.dropped(results)
        options.observer.dropped(results.length)
        options.log.warn('Results were dropped, because they could not be sent.', { count: results.length })
      },
      onSent: (results) => this.#traces?.reported(results),
    })
  }

  start(): void {
    const { bus, location, locationName, name, witness, only = null, ground, asides, time } = this.#options
    const announce = (isFresh = false): void => {
      const lostMs = ground.lostForMs()
      const lost = lostMs === null ? {} : { lostNetworkMs: Math.round(lostMs) }
      const own = { ...(only === null ? {} : { only }), ...(isFresh ? { isFresh } : {}) }
      const monitors = asides.monitors()
      const aside = monitors.length === 0 ? {} : { setAside: monitors }
      bus.announce({ location, locationName, prober: name, witness, isLeaving: false, ...own, ...lost, ...aside })
    }
    this.#ends = [
      bus.onAssignments(location, name, (list) => this.#take(list)),
      bus.onTrials(location, name, (configuration) => this.#try(configuration)),
      time.every(announceMs, () => announce()),
    ]
    announce(true)
  }

  /** Takes nothing more, waits for what runs and for the results to be durable. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#missing.stop()
    const { bus, location, name, time } = this.#options
    bus.announce({ location, prober: name, isLeaving: true })
    for (const end of this.#ends) end()
    this.#queue.clear()
    const until = time.steadyMs() + stopMs
    while (this.#queue.running > 0 && time.steadyMs() < until) await time.pause(stopLookMs)
    await this.#outbox.close(Math.max(0, until - time.steadyMs()))
  }

  load(): ProberLoad {
    const waiting = this.#queue.waiting + this.#missing.waiting
    return { running: this.#queue.running, waiting, outbox: this.#outbox.waiting }
  }

  #take(assignments: Assignment[]): void {
    const isClosed = this.#isStopping || this.#outbox.isFull
    const arrivedMs = this.#options.time.steadyMs()
    const refused = assignments.filter(
      (assignment) => isClosed || !this.#enqueue({ ...assignment, arrivedMs, configuration: null }),
    )
    if (refused.length > 0) this.#options.observer.refused(refused.length)
    this.#fill()
  }

  /** False where there is no room. */
  #enqueue(task: Task): boolean {
    if (this.#queue.waiting + this.#missing.waiting >= maxQueued) return false
    const configuration = task.configuration ?? this.#cache.get(task.monitorId, task.version)
    return this.#queue.push(configuration?.shareKey ?? null, task)
  }

  /** Begins what waits and has a place, some in each turn, so that answers are taken in between. */
  #fill(): void {
    if (this.#hasTurn || !this.#queue.mayBegin()) return
    this.#hasTurn = true
    this.#options.time.soon(() => {
      this.#hasTurn = false
      this.#begin()
      this.#fill()
    })
  }

  #begin(): void {
    for (let begun = 0; begun < maxBegunAtOnce; begun += 1) {
      const next = this.#queue.next()
      if (next === null) return
      this.#runOrAsk(next)
    }
  }

  #runOrAsk(begun: Begun<Task>): void {
    const { task } = begun
    const configuration = task.configuration ?? this.#cache.get(task.monitorId, task.version)
    if (configuration !== null) return void this.#run(begun, configuration)
    this.#missing.want(task)
    this.#leave(begun, null)
  }

  #leave({ leave }: Begun<Task>, tookMs: number | null): void {
    leave(tookMs)
    this.#fill()
  }

  #found(configuration: CheckConfiguration, task: Task | null): void {
    this.#cache.put(configuration)
    if (task !== null && !this.#enqueue({ ...task, configuration })) this.#options.observer.refused(1)
  }

  /** Keeps the place while the check runs. */
  async #run(begun: Begun<Task>, configuration: CheckConfiguration): Promise<void> {
    const { task } = begun
    const { asides, marks, location, time } = this.#options
    const { monitorId } = task
    const startedMs = time.steadyMs()
    if (startedMs - task.arrivedMs > configuration.timeoutMs + roundGraceMs) return this.#leave(begun, null)
    const reason = asides.reasonFor({ type: 'check', monitorId })
    if (reason !== null) {
      this.#report(task, configuration, { verdict: unchecked(reason), startedMs })
      return this.#leave(begun, null)
    }
    const mark = marks.of({ type: 'check', location, monitorId })
    try {
      const sight = this.#evidence.sightFor(configuration)
      const reached: Reached = { address: null }
      const found = await this.#verdictOf(task, configuration, { mark, sight, reached })
      const verdict = found === null ? null : concluded(found, configuration)
      const judgedMs = time.steadyMs()
      const seen = sight === null ? null : await this.#seenOf(task, { configuration, verdict, sight })
      this.#report(task, configuration, { verdict, startedMs, judgedMs, ...seen, reached: reached.address })
      const address = reached.address ?? sight?.dialled.at(-1) ?? sight?.resolved[0] ?? null
      const hasEvidence = (seen?.evidence ?? null) !== null
      this.#routes?.checked({ configuration, status: verdict?.status ?? null, hasEvidence, address })
    } catch (error) {
      const about = { monitor_id: monitorId, round: task.round, location }
      const verdict = this.#afterError(configuration, error, about)
      this.#report(task, configuration, { verdict, startedMs })
    } finally {
      this.#leave(begun, marks.tookMs(mark))
    }
  }

  /** Evidence tells what a view would. */
  async #seenOf({ wantsView }: Task, checked: Seen): Promise<Pick<Checked, 'evidence' | 'view'>> {
    const evidence = await this.#evidence.of(checked)
    if (evidence !== null || wantsView !== true) return { evidence }
    return { view: await this.#evidence.viewOf(checked) }
  }

  #verdictOf(
    { monitorId, arrivedMs }: Task,
    configuration: CheckConfiguration,
    { mark, sight, reached }: { mark: Mark; sight: Sight | null; reached: Reached },
  ): Promise<Verdict | null> {
    const lastStartMs = arrivedMs + roundGraceMs - sendMs
    const lastEndMs = lastStartMs + checkTimeMs(configuration)
    const run = (): Promise<Verdict | null> =>
      this.#checkUndisturbed(configuration, { monitorId, sight, lastStartMs, lastEndMs })
    const share = configuration.shareKey ?? ''
    return this.#grounded.check({ monitorId, mark, share, sight, reached, lastStartMs, lastEndMs, run })
  }

  /** A trial: its verdict goes to the process that asked, and is counted nowhere. */
  async #try(configuration: CheckConfiguration): Promise<Verdict | null> {
    if (this.#isStopping || this.#trying >= maxTrialsAtOnce) return null
    const { monitorId, shareKey } = configuration
    const { asides, marks, location } = this.#options
    const work = { type: 'trial', location, monitorId, ...(shareKey === undefined ? {} : { shareKey }) } as const
    const reason = asides.reasonFor(work)
    if (reason !== null) return unchecked(reason)
    this.#trying += 1
    try {
      const startedMs = this.#options.time.steadyMs()
      // A payment is not sent twice, also where this location stood still meanwhile.
      const againMs = configuration.purchase?.type === 'pay' ? 0 : roundGraceMs - sendMs
      const lastStartMs = startedMs + againMs
      const lastEndMs = lastStartMs + checkTimeMs(configuration)
      const run = (): Promise<Verdict | null> =>
        this.#checkUndisturbed(configuration, { monitorId: null, sight: null, lastStartMs, lastEndMs })
      const asked = { monitorId: null, mark: marks.of(work), share: shareKey ?? '', lastStartMs: startedMs, lastEndMs }
      const verdict = await this.#grounded.check({ ...asked, run })
      return verdict === null ? null : withCleanTexts(concluded(verdict, configuration))
    } catch (error) {
      return this.#afterError(configuration, error, { location })
    } finally {
      this.#trying -= 1
    }
  }

  /** What a kind throws is trouble or a bug of ours, not a fault of the target. */
  #afterError({ kind }: CheckConfiguration, error: unknown, about: Partial<RoundLine>): Verdict | null {
    this.#options.log.warnRarely('A check ended in an error of our own.', {
      ...about,
      kind,
      error: String(error),
      ...(error instanceof OwnTrouble ? { cause: String(error.cause) } : {}),
    })
    return error instanceof MissingMeans ? unchecked(error.message) : null
  }

  /** Null when this location could not tell. */
  async #checkUndisturbed(
    configuration: CheckConfiguration,
    { sight, ...times }: Pick<Attention, 'monitorId' | 'lastStartMs' | 'lastEndMs'> & { sight: Sight | null },
  ): Promise<Verdict | null> {
    const { stalls, kinds, lookFor = null, privateNet, traffic, time } = this.#options
    const net = (configuration.mayReachPrivate === true ? privateNet : null) ?? this.#options.net
    const load = kinds[configuration.kind]
    if (load === undefined) throw new Error(`This location does not know the kind ${configuration.kind}.`)
    const look = configuration.looksFor === undefined ? (await load()).check : lookFor
    if (look === null) throw new Error('This location does not look for software.')
    const check = (signal: AbortSignal): Promise<Verdict> => {
      if (sight !== null) clearSight(sight)
      return look(configuration, net, signal)
    }
    const isConclusive = traffic.isConclusive
    const deadlineMs = checkTimeMs(configuration)
    const endWatch = stalls.begin()
    try {
      return await checkAttentively(check, { ...times, time, stalls, isConclusive, untold: this.#stalled, deadlineMs })
    } finally {
      endWatch()
    }
  }

  #report(task: Task, configuration: CheckConfiguration, checked: Checked): void {
    const { verdict, startedMs, judgedMs, evidence = null, view = null, reached = null } = checked
    const { monitorId, round, arrivedMs } = task
    const { location, observer, time } = this.#options
    const nowMs = time.steadyMs()
    const seconds = (nowMs - startedMs) / 1000
    const told = verdict === null ? null : withCleanTexts(verdict)
    const result: Result = { monitorId, version: configuration.version, round, location, verdict: told }
    const address = told === null ? null : this.#addresses.toTell(configuration, reached)
    if (evidence !== null) result.evidence = evidence
    if (view !== null) result.view = view
    if (address !== null) result.address = address
    const times = { arrivedMs, startedMs, judgedMs: judgedMs ?? nowMs }
    this.#traces?.checked({ result, kind: configuration.kind, times })
    this.#outbox.add(result)
    observer.checked({ kind: configuration.kind, status: told?.status ?? 'none', seconds })
  }
}
