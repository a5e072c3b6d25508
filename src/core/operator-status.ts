import { z } from 'zod'
import { spanInWords } from './language/in-words.ts'
import { feedStatusSchema, feedTroubles } from './software/feed-status.ts'

const count = z.int().min(0)
const seconds = z.number().min(0)

/** The state of an installation according to its database. All ages are in seconds by the database's clock. */
export const clusterStatusSchema = z.object({
  database: z.object({
    version: z.string(),
    /** Number of the highest migration that was applied. */
    schema: count,
    size_bytes: count,
    /** UTC day of the oldest results in the database. */
    oldest_result_day: z.iso.date().nullable(),
  }),
  engines: z.array(z.object({ name: z.string(), is_alive: z.boolean(), seen_seconds: seconds, up_seconds: seconds })),
  partitions: z.array(
    z.object({
      partition: count,
      /** Null while no engine holds the partition. */
      owner: z.string().nullable(),
      epoch: count,
      /** Null where an engine of an earlier release took the partition. */
      held_seconds: seconds.nullable(),
    }),
  ),
  locations: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      online: z.boolean(),
      /** Null where no prober has ever been present. */
      seen_seconds: seconds.nullable(),
      /** How long a prober there has had no network of its own; null while none says so. */
      lost_network_seconds: seconds.nullable(),
      /** Number of enabled monitors that choose the location. */
      monitors: count,
    }),
  ),
  monitors: z.object({
    enabled: count,
    paused: count,
    /**
     * Monitors checked at locations that had no data for longer than interval, timeout and grace; `latest_seconds` is
     * the worst of them.
     */
    late: count,
    latest_seconds: seconds,
    /** Number of rounds that the late monitors have missed. */
    rounds_behind: count,
    /** Number of monitors without data for max(5 minutes, 3 intervals) (docs/decisions/rounds-and-time.md). */
    unchecked: count,
  }),
  deliveries: z.object({
    pending: count,
    /** Due for a while and attempted by no process, through no fault of their receivers. */
    overdue: count,
    oldest_overdue_seconds: seconds,
    /** As late, because their receivers fail or are slow. Processes of earlier releases count them as overdue. */
    held_up: count.default(0),
  }),
  jobs: z.object({ waiting: count, running: count, overdue: count, failed: count, oldest_due_seconds: seconds }),
  merging: z.object({ monitors_due: count, lag_seconds: seconds }),
  /** The feeds of advisories that are read; none while there is nothing to compare, or from an earlier release. */
  feeds: z.array(feedStatusSchema).default([]),
  /** Null while the mail server took the last mail, or none was sent. */
  mail: z.object({ failing_seconds: seconds, error: z.string() }).nullable(),
  /** The last time that the database's clock jumped, and how far; null while it never did. */
  clock: z.object({ jumped_seconds_ago: seconds, by_seconds: z.number() }).nullable(),
  /** Since when no engine that is alive has had a broker; null while one has, none is alive, or from an earlier release. */
  broker: z.object({ away_seconds: seconds }).nullable().default(null),
  /** Monitors that probers do not check for a while; null while there is none, or in processes of earlier releases. */
  set_aside: z
    .object({ seconds, monitor_ids: z.array(z.string()) })
    .nullable()
    .default(null),
  /** Why nothing leaves a restored copy; null where everything does, or from an earlier release. */
  sending_held: z.object({ seconds, backup_at: z.iso.datetime() }).nullable().default(null),
  /** Former secret keys that may still encrypt values; null while there are none, or from an earlier release. */
  former_keys: z
    .object({
      ids: z.array(z.string()),
      /** Null until the job that encrypts values anew has counted them. */
      values_left: count.nullable(),
    })
    .nullable()
    .default(null),
  /** The last good backup that was made by the schedule, and what the one after it failed by. */
  backup: z
    .object({
      /** Null where none was ever made. */
      age_seconds: seconds.nullable(),
      size_bytes: count,
      failing: z.object({ seconds, error: z.string() }).nullable(),
    })
    .nullable()
    .default(null),
})
export type ClusterStatus = z.infer<typeof clusterStatusSchema>

const streamSchema = z.object({ name: z.string(), messages: count, bytes: count, oldest_seconds: seconds })
export type StreamStatus = z.infer<typeof streamSchema>

/** What a process says of itself. A member is null where the process lacks the role or does not know the answer. */
const processStatusSchema = z.object({
  version: z.string(),
  roles: z.array(z.string()),
  name: z.string(),
  up_seconds: seconds,
  bus: z
    .object({
      connected: z.boolean(),
      /**
       * Messages that wait at the broker. Null while the broker cannot be asked, and for probers, which may not ask.
       */
      streams: z.array(streamSchema).nullable(),
    })
    .nullable(),
  engine: z.object({ monitors: count, partitions: count, lag_seconds: seconds, results_waiting: count }).nullable(),
  prober: z
    .object({
      locations: z.array(z.string()),
      checks_running: count,
      assignments_waiting: count,
      results_waiting: count,
      /**
       * Monitors that are not checked for a while, because a check of theirs took the processor or the memory of its
       * thread. Processes of earlier releases do not tell it.
       */
      monitors_set_aside: count.default(0),
      /** Threads that have not begun, or have died and not begun again. Processes of earlier releases do not tell it. */
      threads_missing: count.default(0),
    })
    .nullable(),
})
export type ProcessStatus = z.infer<typeof processStatusSchema>

/**
 * `process` is null where the database was read directly, `cluster` where the process has no database or cannot reach
 * it.
 */
export const operatorStatusSchema = z.object({
  at: z.iso.datetime(),
  process: processStatusSchema.nullable(),
  cluster: clusterStatusSchema.nullable(),
  /** Sentences about what an operator has to look at; empty when all is well. */
  troubles: z.array(z.string()),
})
export type OperatorStatus = z.infer<typeof operatorStatusSchema>

/** Messages at the broker that wait longer than this, and merging that is later than this, count as stuck. */
const longestBacklogSeconds = 60
const longestMergeLagSeconds = 3_600
/** A clock that jumped is told for so long: what it did to the order of things may be seen that much later. */
const jumpToldSeconds = 3_600
const maxShownIds = 5

/** By what has the trouble, in the order in which they are told. */
export function clusterTroublesByPart(status: ClusterStatus): Record<ClusterPart, string[]> {
  return {
    engines: engineTroubles(status),
    locations: locationTroubles(status),
    work: workTroubles(status),
    feeds: feedTroubles(status.feeds),
    checks: checkTroubles(status),
    backups: backupTroubles(status),
    mail: mailTroubles(status),
    clock: clockTroubles(status),
  }
}
export type ClusterPart = 'engines' | 'locations' | 'work' | 'feeds' | 'checks' | 'backups' | 'mail' | 'clock'

export function clusterTroubles(status: ClusterStatus): string[] {
  return Object.values(clusterTroublesByPart(status)).flat()
}

function engineTroubles({ engines, partitions }: ClusterStatus): string[] {
  const free = partitions.filter(({ owner }) => owner === null).length
  const alive = engines.filter((engine) => engine.is_alive).length
  return [
    ...(alive === 0 ? ['No engine is running, so nothing is checked.'] : []),
    ...(free > 0 ? [`${free} of ${partitions.length} partitions are held by no engine.`] : []),
  ]
}

function locationTroubles({ locations, broker }: ClusterStatus): string[] {
  // Without a broker no engine hears of a prober that is there.
  const missing = broker === null ? locations.filter(({ online, monitors: some }) => !online && some > 0) : []
  return [
    ...(broker === null
      ? []
      : [
          `The broker cannot be reached: no engine has been connected to it for ${spanInWords(broker.away_seconds)}, so no ` +
            'checks are ordered and the state of probers is not known.',
        ]),
    ...missing.map(
      ({ code, monitors: choosing }) =>
        `The location ${code} has no prober, and ${choosing === 1 ? '1 monitor uses' : `${choosing} monitors use`} it.`,
    ),
    ...locations.flatMap(({ code, online, lost_network_seconds: lost }) =>
      online && lost !== null
        ? [
            `The location ${code} has had no network for ${spanInWords(lost)}: its checks say nothing about their targets.`,
          ]
        : [],
    ),
  ]
}

function workTroubles({ monitors, deliveries, jobs, merging, sending_held: held }: ClusterStatus): string[] {
  return [
    ...(monitors.unchecked > 0 ? [`${monitors.unchecked} monitors are not being checked.`] : []),
    ...(held === null
      ? []
      : [
          `This installation was restored from a backup of ${held.backup_at}, and sends nothing: no alerts, no mails, no ` +
            'payments. Run "perigee resume-sending" when the original is gone.',
        ]),
    ...(deliveries.overdue > 0 && held === null
      ? [`${deliveries.overdue} alerts are overdue, by up to ${spanInWords(deliveries.oldest_overdue_seconds)}.`]
      : []),
    ...(jobs.overdue > 0 && held === null
      ? [`${jobs.overdue} jobs are overdue, by up to ${spanInWords(jobs.oldest_due_seconds)}.`]
      : []),
    ...(merging.lag_seconds > longestMergeLagSeconds
      ? [`Merging of results is ${spanInWords(merging.lag_seconds)} late.`]
      : []),
  ]
}

function checkTroubles({ set_aside: aside }: ClusterStatus): string[] {
  return aside === null ? [] : [`${setAside(aside.monitor_ids.length)}: ${shownIds(aside.monitor_ids)}.`]
}

function backupTroubles({ backup }: ClusterStatus): string[] {
  const failing = backup?.failing ?? null
  return failing === null ? [] : [`No backup could be made for ${spanInWords(failing.seconds)}: ${failing.error}`]
}

function mailTroubles({ mail }: ClusterStatus): string[] {
  return mail === null ? [] : [`No mail could be sent for ${spanInWords(mail.failing_seconds)}: ${mail.error}`]
}

function clockTroubles({ clock }: ClusterStatus): string[] {
  return clock === null || clock.jumped_seconds_ago > jumpToldSeconds
    ? []
    : [
        `The clock of the database jumped by ${spanInWords(clock.by_seconds)}, ${spanInWords(clock.jumped_seconds_ago)} ago: ` +
          'no checks were skipped, but times before and after the jump cannot be compared.',
      ]
}

/**
 * Whether the installation does what it is for: checks are made, and alerts leave, except to receivers that fail. A
 * location may be missing as long as its monitors are checked from elsewhere. Whether results are stored no status says.
 */
export function isWatching({ engines, partitions, monitors, deliveries, jobs, mail }: ClusterStatus): boolean {
  const isChecking = engines.some((engine) => engine.is_alive) && partitions.every(({ owner }) => owner !== null)
  return isChecking && monitors.unchecked + deliveries.overdue + jobs.overdue === 0 && mail === null
}

/** What stays the same of a trouble's sentence while it lasts: the numbers in it, and its reason, may change. */
export function topicOf(trouble: string): string {
  const [what = trouble] = trouble.split(': ')
  return what.replaceAll(/(?<![\w-])-?\d+(?: (?:s|min|h|d))?(?![\w-])/g, 'n')
}

/** `isClusterKnown`: what the database has as well is told from there. */
export function processTroubles(
  { bus, engine, prober }: Pick<ProcessStatus, 'bus' | 'engine' | 'prober'>,
  { isClusterKnown }: { isClusterKnown: boolean },
): string[] {
  const aside = isClusterKnown ? 0 : (prober?.monitors_set_aside ?? 0)
  const missing = prober?.threads_missing ?? 0
  return [
    ...(engine?.partitions === 0 ? ['The engine of this process holds no partition, so it watches nothing.'] : []),
    ...(missing > 0 ? [`${missing} prober threads of this process are not running.`] : []),
    ...(aside > 0 ? [`${setAside(aside)}; see the log for their ids.`] : []),
    ...busTroubles(bus),
  ]
}

function setAside(monitors: number): string {
  return `${monitors} monitors are set aside, because checks of them took the processor or the memory`
}

function shownIds(ids: readonly string[]): string {
  const more = ids.length - maxShownIds
  return more > 0 ? `${ids.slice(0, maxShownIds).join(', ')}, and ${more} more` : ids.join(', ')
}

function busTroubles(bus: ProcessStatus['bus']): string[] {
  if (bus === null) return []
  if (!bus.connected) return ['The broker cannot be reached.']
  return (bus.streams ?? [])
    .filter(({ oldest_seconds: oldest }) => oldest > longestBacklogSeconds)
    .map(
      (stream) =>
        `${stream.messages} messages wait in the stream ${stream.name}, for up to ${spanInWords(stream.oldest_seconds)}.`,
    )
}
