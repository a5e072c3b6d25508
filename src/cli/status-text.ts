import type { ClusterStatus, OperatorStatus, ProcessStatus } from '#core/operator-status.ts'
import { spanInWords } from '#core/language/in-words.ts'
import { table } from './table.ts'

/** For people, at a glance; what is wrong is told apart. */
export function statusText({ process, cluster, troubles }: OperatorStatus): string {
  const parts = [
    ...(process === null ? [] : [processText(process)]),
    ...(cluster === null
      ? []
      : [engineText(cluster), locationText(cluster), ...feedText(cluster), figureText(cluster)]),
    ...(troubles.length === 0 ? ['All is well.\n'] : []),
  ]
  return parts.join('\n')
}

function processText({ name, roles, version, up_seconds: up, bus, engine, prober }: ProcessStatus): string {
  const rows = [
    ['answered by', `${name}, ${roles.join(' ')}, ${version}, up ${spanInWords(up)}`],
    ...(bus === null ? [] : [['broker', busText(bus)]]),
    ...(engine === null
      ? []
      : [['engine', `${engine.monitors} monitors, ${engine.partitions} partitions, ${lateText(engine.lag_seconds)}`]]),
    ...(prober === null
      ? []
      : [
          [
            'prober',
            `${prober.checks_running} checks under way, ${prober.assignments_waiting} waiting, ` +
              `${prober.results_waiting} results to be sent, from ${prober.locations.join(' ')}`,
          ],
        ]),
  ]
  return pairs(rows)
}

function busText({ connected, streams }: NonNullable<ProcessStatus['bus']>): string {
  if (!connected) return 'away'
  const waiting = (streams ?? []).map(
    ({ name, messages, bytes, oldest_seconds: oldest }) =>
      `${messages} messages (${size(bytes)}${messages === 0 ? '' : `, ${spanInWords(oldest)}`}) in ${name}`,
  )
  return ['connected', ...waiting].join(', ')
}

function lateText(seconds: number): string {
  return seconds < 0.1 ? 'on time' : `${seconds.toFixed(1)} s late`
}

function engineText({ engines, partitions }: ClusterStatus): string {
  const held = Map.groupBy(partitions, ({ owner }) => owner)
  const names = new Set([...engines.map(({ name }) => name), ...held.keys().filter((owner) => owner !== null)])
  const rows = Array.from(names, (name) => {
    const engine = engines.find((each) => each.name === name)
    const own = held.get(name) ?? []
    const ages = own.flatMap(({ held_seconds: seconds }) => (seconds === null ? [] : [seconds]))
    return [
      name,
      engine?.is_alive === true
        ? 'alive'
        : `silent${engine === undefined ? '' : ` ${spanInWords(engine.seen_seconds)}`}`,
      String(own.length),
      ranges(own.map(({ partition }) => partition)),
      ages.length === 0 ? '' : spread(ages),
      own.length === 0
        ? ''
        : spread(
            own.map(({ epoch }) => epoch),
            String,
          ),
    ]
  })
  const free = held.get(null) ?? []
  if (free.length > 0) rows.push(['(none)', '', String(free.length), ranges(free.map(({ partition }) => partition))])
  return table(['ENGINE', 'STATE', 'PARTITIONS', 'WHICH', 'HELD FOR', 'EPOCHS'], rows.map(filled))
}

function locationText({ locations }: ClusterStatus): string {
  const rows = locations.map(({ code, name, online, seen_seconds: seen, lost_network_seconds: lost, monitors }) => [
    code,
    stateText({ online, hasNetwork: lost === null }),
    seen === null ? 'never' : `${spanInWords(seen)} ago`,
    String(monitors),
    name,
  ])
  return table(['LOCATION', 'STATE', 'LAST SEEN', 'MONITORS', 'NAME'], rows)
}

function feedText({ feeds }: ClusterStatus): string[] {
  const rows = feeds.map(({ name, read_seconds: seconds, error }) => [
    name,
    seconds === null ? 'never' : `${spanInWords(seconds)} ago`,
    error ?? '',
  ])
  return rows.length === 0 ? [] : [table(['FEED', 'LAST READ', 'WHY IT FAILED'], rows)]
}

function stateText({ online, hasNetwork }: { online: boolean; hasNetwork: boolean }): string {
  if (!online) return 'missing'
  return hasNetwork ? 'online' : 'no network'
}

function overdue(count: number, seconds: number): string {
  return count === 0 ? 'none overdue' : `${count} overdue by up to ${spanInWords(seconds)}`
}

function figureText({
  monitors,
  deliveries,
  jobs,
  merging,
  mail,
  database,
  backup,
  former_keys: keys,
}: ClusterStatus): string {
  const { late, latest_seconds: latest, rounds_behind: behind } = monitors
  const lateness = late === 0 ? 'none late' : `${late} late by up to ${spanInWords(latest)} (${behind} rounds)`
  return pairs([
    [
      'monitors',
      `${monitors.enabled} enabled, ${monitors.paused} paused, ${lateness}, ${monitors.unchecked} unchecked`,
    ],
    [
      'alerts',
      `${deliveries.pending} pending, ${overdue(deliveries.overdue, deliveries.oldest_overdue_seconds)}, ` +
        `${deliveries.held_up} held up by their receivers`,
    ],
    [
      'jobs',
      `${jobs.waiting} waiting, ${jobs.running} running, ${overdue(jobs.overdue, jobs.oldest_due_seconds)}, ` +
        `${jobs.failed} failed for good`,
    ],
    ...(mail === null ? [] : [['mail', `failing for ${spanInWords(mail.failing_seconds)}`]]),
    ...(backup === null ? [] : [['backup', backupText(backup)]]),
    ...(keys === null ? [] : [['former keys', formerKeysText(keys)]]),
    ['merging', `${merging.monitors_due} monitors due, ${spanInWords(merging.lag_seconds)} late`],
    [
      'database',
      `PostgreSQL ${database.version}, schema ${database.schema}, ${size(database.size_bytes)}, ` +
        `results since ${database.oldest_result_day ?? 'never'}`,
    ],
  ])
}

function backupText({ age_seconds: age, size_bytes: bytes }: NonNullable<ClusterStatus['backup']>): string {
  return age === null ? 'none was made yet' : `${size(bytes)}, ${spanInWords(age)} ago`
}

function formerKeysText({ ids, values_left: left }: NonNullable<ClusterStatus['former_keys']>): string {
  const values = left === null ? 'values that are not counted yet are' : `${left} values are`
  return `${ids.join(' ')}, ${values} left to encrypt with the current key`
}

function pairs(rows: readonly (readonly string[])[]): string {
  return table(['', ''], rows).replace(/^\s*\n/, '')
}

function filled(cells: readonly string[]): string[] {
  return Array.from({ length: 6 }, (_, column) => cells[column] ?? '')
}

/** 0-3 5 8-9 */
function ranges(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === number - 1) run[1] = number
    else runs.push([number, number])
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(' ')
}

function spread(values: readonly number[], say: (value: number) => string = spanInWords): string {
  const [least, most] = [say(Math.min(...values)), say(Math.max(...values))]
  return least === most ? least : `${least} to ${most}`
}

function size(bytes: number): string {
  return bytes < 10_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${Math.round(bytes / 1_000_000)} MB`
}
