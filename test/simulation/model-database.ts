// A database in memory, as plain as can be: what PostgreSQL keeps of the way from a result to its alerts. A statement
// happens at once, at the moment at which it is called and can have its locks; what a transaction writes is seen by others
// when it commits.
import type { Alert } from '#core/contacts/alerting.ts'
import type { Verdict } from '#core/results/result.ts'
import { partitionCount } from '#core/monitors/schedule.ts'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { AlertOrder } from '#store/contacts/deliveries.ts'
import type { WatchRow } from '#store/monitors/watch-rows.ts'
import type { RejectedResult } from '#store/results/store-batch.ts'
import { RowLocks } from './row-locks.ts'

/** What a person set. Its rules of alerts and its parents are not modelled: it has none. */
export type MonitorRow = Pick<
  WatchRow,
  | 'id'
  | 'key'
  | 'partition'
  | 'kind'
  | 'version'
  | 'intervalSeconds'
  | 'timeoutMs'
  | 'locations'
  | 'failureThreshold'
  | 'retrySeconds'
  | 'recoveryThreshold'
  | 'confirmationThreshold'
  | 'graceSeconds'
  | 'schedule'
> & {
  workspaceId: string
  name: string
  url: string | null
  isEnabled: boolean
  /** How long a run may take that said that it began; null where any time is right. */
  maxRunSeconds: number | null
}

export function isCalled({ kind }: Pick<MonitorRow, 'kind'>): boolean {
  return kindTraits[kind].source === 'called'
}

/** Rounds, deadlines, ends of runs and times of problems are in microseconds since 1970, all other times in milliseconds. */
export type StateRow = {
  version: number
  status: CurrentStatus
  failures: number
  successes: number
  round: number
  lastCheckedAt: number | null
  incidentId: string | null
  problemAt: number | null
  /** When the next call is missed; null where none is awaited. */
  deadline: number | null
  /** When a run said that it began which has not ended. */
  callStartedMs: number | null
  /** By when that run is to end; null where it may take any time, or where it was told. */
  runDue: number | null
}

export type ResultRow = {
  monitorKey: number
  round: number
  locationId: number
  version: number
  verdict: Verdict
  /** Whether it counts in no uptime, because of a maintenance. */
  isInMaintenance: boolean
  storedMs: number
}

export type DayRow = {
  checks: number
  up: number
  down: number
  restricted: number
  latencySumMs: number
  latencyCount: number
}

export type ProblemRow = {
  monitorKey: number
  startedAt: number
  endedAt: number | null
  status: 'down' | 'degraded'
  error: string | null
  locations: string[]
  incidentId: string | null
}

export type GapRow = { monitorKey: number; startedAt: number; endedAt: number | null }

export type IncidentRow = {
  id: string
  workspaceId: string
  monitorId: string
  title: string
  cause: string | null
  startedMs: number
  resolvedMs: number | null
}

export type EventRow = { incidentId: string; type: string; atMs: number; message: string }

export type ContactRow = {
  id: string
  workspaceId: string
  name: string
  kind: string
  isEnabled: boolean
  failingSinceMs: number | null
}

export type DeliveryRow = {
  id: string
  workspaceId: string
  contactId: string
  incidentId: string | null
  alert: Alert
  state: 'pending' | 'delivered' | 'failed'
  attempt: number
  dueMs: number
  claimedMs: number | null
  createdMs: number
  endedMs: number | null
  afterId: string | null
  error: string | null
}

/** A planned time; `monitorKeys` is null for all of the workspace. */
export type MaintenanceRow = {
  monitorKeys: readonly number[] | null
  startsMs: number
  endsMs: number
  excludesUptime: boolean
}

/** An alert that is kept back, of an incident that began in a maintenance. */
export type WithheldRow = { order: AlertOrder; atMs: number }

export type JobRow = { runMs: number; attempts: number }

export type PartitionRow = { owner: string | null; epoch: number; heldUntilMs: number }

export class ModelDatabase {
  readonly monitors = new Map<number, MonitorRow>()
  readonly states = new Map<number, StateRow>()
  /** By monitor, then by `resultKey`. */
  readonly results = new Map<number, Map<string, ResultRow>>()
  /** By monitor and day. */
  readonly days = new Map<string, DayRow>()
  /** By monitor and beginning, as the gaps. */
  readonly problems = new Map<string, ProblemRow>()
  readonly gaps = new Map<string, GapRow>()
  readonly incidents = new Map<string, IncidentRow>()
  readonly events: EventRow[] = []
  readonly contacts = new Map<string, ContactRow>()
  readonly deliveries = new Map<string, DeliveryRow>()
  /** Jobs that no worker has taken, by the delivery. */
  readonly jobs = new Map<string, JobRow>()
  readonly partitions: PartitionRow[] = Array.from({ length: partitionCount }, () => ({
    owner: null,
    epoch: 0,
    heldUntilMs: -Infinity,
  }))
  readonly maintenances: MaintenanceRow[] = []
  /** By incident. */
  readonly withheld = new Map<string, WithheldRow>()
  /** When each was seen last. */
  readonly engines = new Map<string, number>()
  readonly locations = new Map<string, number>()
  readonly rejected: RejectedResult[] = []
  /** The jumps of the clock that engines have noted, the last one at the end. */
  readonly jumps: { atMs: number; byMs: number }[] = []
  /** When each process said last that it takes calls. */
  readonly intakes = new Map<string, number>()
  readonly partitionLocks = new RowLocks<number>()
  /** Of the states of monitors, by their keys. */
  readonly stateLocks = new RowLocks<number>()
  /** Taken before deadlines of many monitors are moved. */
  readonly intakeLock = new RowLocks<string>()
  readonly withheldLocks = new RowLocks<string>()
  readonly deliveryLocks = new RowLocks<string>()
  readonly nowMs: () => number
  /** Makes the ids that PostgreSQL makes. */
  readonly newId: () => string

  constructor({ nowMs, newId }: { nowMs: () => number; newId: () => string }) {
    this.nowMs = nowMs
    this.newId = newId
  }

  monitorById(id: string): MonitorRow | undefined {
    for (const monitor of this.monitors.values()) if (monitor.id === id) return monitor
    return undefined
  }
}

/** As PostgreSQL, it has one time, that of its beginning. */
export class ModelTransaction {
  readonly database: ModelDatabase
  readonly nowMs: number
  /** What others may not see before the commit, although this transaction goes on from it. */
  readonly endedProblems = new Set<string>()
  readonly resolved = new Set<string>()
  readonly inserted: DeliveryRow[] = []
  /** Monitors of which it stored results or wrote the state. */
  readonly touched = new Set<number>()
  readonly #changes: (() => void)[] = []
  #hasEnded = false

  constructor(database: ModelDatabase) {
    this.database = database
    this.nowMs = database.nowMs()
  }

  /** Keeps others from these partitions until the end of the transaction. */
  async lock(partitions: readonly number[]): Promise<void> {
    await this.database.partitionLocks.take(partitions, this)
    this.#requireOpen()
  }

  /** Keeps others from writing these states until the end of the transaction. */
  async lockStates(keys: readonly number[]): Promise<void> {
    await this.database.stateLocks.take(keys, this)
    this.#requireOpen()
  }

  async lockWithheld(incidentIds: readonly string[]): Promise<void> {
    await this.database.withheldLocks.take(incidentIds, this)
    this.#requireOpen()
  }

  async lockDelivery(id: string): Promise<void> {
    await this.database.deliveryLocks.take([id], this)
    this.#requireOpen()
  }

  atCommit(change: () => void): void {
    if (this.#hasEnded) throw new Error('A transaction that has ended writes nothing.')
    this.#changes.push(change)
  }

  commit(): void {
    if (this.#hasEnded) throw new Error('A transaction ends once.')
    this.#hasEnded = true
    for (const change of this.#changes) change()
    this.#release()
  }

  /** Harmless after the end. */
  rollBack(): void {
    this.#hasEnded = true
    this.#release()
  }

  /** It may have ended while it waited for locks. */
  #requireOpen(): void {
    if (!this.#hasEnded) return
    this.#release()
    throw new Error('The transaction has ended.')
  }

  #release(): void {
    this.database.partitionLocks.release(this)
    this.database.stateLocks.release(this)
    this.database.withheldLocks.release(this)
    this.database.deliveryLocks.release(this)
  }
}

/** A violation of a unique index, which is no trouble of the values alone (`isDataError`). */
export class UniqueViolation extends Error {}

export function placeOf(monitorKey: number, startedAt: number): string {
  return `${monitorKey}/${startedAt}`
}
