// Monitors of Uptime Kuma: what all types have in common, and the types that are more than a check.
import { addDays, dayOf } from '#core/language/utc-day.ts'
import type { DayCounts } from '#core/results/uptime.ts'
import type { Findings, Where } from '#core/imports/findings.ts'
import { importLimits, type ImportedMonitor } from '#core/imports/imported.ts'
import { createTree, membersOf } from './kuma-groups.ts'
import { type KumaSettings, kumaSettings } from './kuma-kinds.ts'
import type { KumaProxies } from './kuma-web.ts'
import { kumaPlace, type KumaMonitor, type KumaTables } from './kuma-rows.ts'
import { failuresOf, graceOf, intervalOf, nameOf, notesOf, tagsOf, timeoutOf } from '#core/imports/monitor-parts.ts'

const usualIntervalSeconds = 60

/** Adds the monitors to the findings, and returns their keys by the ids that they have there, groups included. */
export function readKumaMonitors(
  tables: KumaTables,
  contactKeys: ReadonlyMap<number, readonly string[]>,
  findings: Findings,
): Map<number, string> {
  const tree = createTree(tables.monitor)
  const facts = factsOf(tables, contactKeys)
  const proxies: KumaProxies = new Map(tables.proxy.map((proxy) => [proxy.id, proxy]))
  const keys = new Map<number, string>()
  const placed = tables.monitor.map((row) => ({ row, place: kumaPlace('monitor', row) }))
  const add = (row: KumaMonitor, settings: KumaSettings, place: string): void => {
    const where = { place, findings }
    const monitor: ImportedMonitor = {
      key: findings.keyOf('monitors', row.name ?? row.type),
      place,
      isPaused: tree.isPaused(row),
      input: {
        name: nameOf(row.name, `${row.type} ${row.id}`),
        ...settings,
        ...notesOf(row.description, { place: `${place}.description`, findings }),
        tags: tagsOf(facts.tags.get(row.id) ?? [], where),
        contacts: facts.contacts.get(row.id) ?? [],
      },
      history: facts.history.get(row.id) ?? [],
    }
    if (findings.addMonitor(monitor)) keys.set(row.id, monitor.key)
  }
  for (const { row, place } of placed) {
    if (row.type === 'group') continue
    const settings = checkOf(row, { place, findings }, proxies)
    if (settings === null) continue
    add(row, settings, place)
    const monitorKey = keys.get(row.id)
    if (row.type === 'push' && row.push_token !== null && monitorKey !== undefined)
      findings.addHeartbeat({ monitorKey, address: { type: 'kuma_push', token: row.push_token } })
  }
  // After all others, because members are named by their keys.
  for (const { row, place } of placed) {
    if (row.type !== 'group') continue
    const members = membersOf(row, { tree, keys }, { place, findings })
    if (members === null) continue
    const options = { member_ids: members, group_policy: 'all' }
    add(row, { kind: 'group', check_options: options, ...repeats(row, { place, findings }) }, place)
  }
  return keys
}

/** Null, with a note, for what has no counterpart. */
function checkOf(row: KumaMonitor, where: Where, proxies: KumaProxies): KumaSettings | null {
  const { place, findings } = where
  const settings = row.type === 'push' ? pushSettings(row, where) : kumaSettings(row, where, proxies)
  if (settings === null) return null
  if (row.upside_down && settings.kind !== 'http' && settings.kind !== 'api') {
    findings.lost(
      `${place}.upside_down`,
      'It is up while its target does not answer. In Perigee only checks of the web can be, so it is not imported.',
    )
    return null
  }
  if (row.type === 'push') return settings
  return { ...rhythmOf(row, where), ...(row.upside_down ? inverted(settings) : settings) }
}

function inverted(settings: KumaSettings): KumaSettings {
  return { ...settings, check_options: { ...settings.check_options, inverted: true } }
}

/** Retries of a monitor that waits for calls are time that a call may be late. */
function pushSettings(row: KumaMonitor, where: Where): KumaSettings {
  const { place, findings } = where
  const interval = row.interval ?? usualIntervalSeconds
  const retries = Math.max(0, row.maxretries ?? 0)
  if (row.push_token === null)
    findings.changed(`${place}.push_token`, 'It has no token in Uptime Kuma, so give its jobs the new address.')
  if (retries > 0)
    findings.changed(
      `${place}.maxretries`,
      'Its retries become time that a call may be late. In Perigee, a call that reports a failure alerts at once.',
    )
  return {
    kind: 'heartbeat',
    interval_seconds: intervalOf(interval, { place: `${place}.interval`, findings }),
    heartbeat_grace_seconds: graceOf(retries * (row.retry_interval ?? interval), {
      place: `${place}.maxretries`,
      findings,
    }),
    recovery_threshold: 1,
    ...reminderOf(row, where),
  }
}

/** One answer ends an outage there. */
function rhythmOf(row: KumaMonitor, where: Where): KumaSettings {
  const { place, findings } = where
  const interval = row.interval ?? usualIntervalSeconds
  const { timeout } = row
  return {
    interval_seconds: intervalOf(interval, { place: `${place}.interval`, findings }),
    ...(timeout === null || timeout <= 0
      ? {}
      : { timeout_ms: timeoutOf(timeout * 1000, { place: `${place}.timeout`, findings }) }),
    ...repeats(row, where),
  }
}

function repeats(row: KumaMonitor, where: Where): KumaSettings {
  const { place, findings } = where
  const retries = Math.max(0, row.maxretries ?? 0)
  return {
    failure_threshold: failuresOf(retries + 1, { place: `${place}.maxretries`, findings }),
    ...(retries > 0 ? retriesOf(row, where) : {}),
    recovery_threshold: 1,
    ...reminderOf(row, where),
  }
}

function retriesOf({ retry_interval: seconds, interval }: KumaMonitor, { place, findings }: Where): KumaSettings {
  if (seconds === null || seconds <= 0 || seconds === interval) return {}
  const where = `${place}.retry_interval`
  if (interval === null || seconds < interval)
    return { retry_interval_seconds: intervalOf(seconds, { place: where, findings }) }
  findings.changed(
    where,
    `After a failure, Perigee checks every ${interval} seconds; Uptime Kuma checked every ${seconds} seconds.`,
  )
  return {}
}

function reminderOf(row: KumaMonitor, { place, findings }: Where): KumaSettings {
  const { resend_interval: times, interval } = row
  if (times === null || times <= 0) return {}
  const wanted = (times * (interval ?? usualIntervalSeconds)) / 60
  const minutes = Math.min(1440, Math.max(5, Math.round(wanted)))
  if (minutes !== wanted)
    findings.changed(
      `${place}.resend_interval`,
      `Perigee repeats the alert every ${minutes} minutes; Uptime Kuma did every ${wanted}.`,
    )
  return { alert_rules: { remind_every_minutes: minutes } }
}

type Facts = {
  tags: ReadonlyMap<number, string[]>
  contacts: ReadonlyMap<number, string[]>
  history: ReadonlyMap<number, DayCounts[]>
}

/** By the ids of monitors. A tag with a value is one word here: `name:value`. */
function factsOf(tables: KumaTables, contactKeys: ReadonlyMap<number, readonly string[]>): Facts {
  const names = new Map(tables.tag.map(({ id, name }) => [id, name]))
  const tags = gathered(tables.monitor_tag, ({ monitor_id: id, tag_id: tagId, value }): [number, string[]] => {
    const name = names.get(tagId) ?? null
    return [id, name === null ? [] : [value === null ? name : `${name}:${value}`]]
  })
  const contacts = gathered(tables.monitor_notification, (row): [number, readonly string[]] => [
    row.monitor_id,
    contactKeys.get(row.notification_id) ?? [],
  ])
  const history = gathered(tables.stat_daily, (row): [number, DayCounts[]] => [row.monitor_id, daysOf(row)])
  return {
    tags,
    contacts: new Map([...contacts].map(([id, keys]) => [id, [...new Set(keys)]])),
    history: new Map([...history].map(([id, days]) => [id, inOrder(days)])),
  }
}

function gathered<Row, Value>(
  rows: readonly Row[],
  read: (row: Row) => readonly [id: number, values: readonly Value[]],
): Map<number, Value[]> {
  const found = new Map<number, Value[]>()
  for (const row of rows) {
    const [id, values] = read(row)
    const known = found.get(id)
    if (known === undefined) found.set(id, [...values])
    else known.push(...values)
  }
  return found
}

/** Days that lie where no check can have been are left out. */
const earliestDay = '2015-01-01'

function daysOf({ timestamp, up, down, ping }: KumaTables['stat_daily'][number]): DayCounts[] {
  const ups = Math.max(0, Math.round(up ?? 0))
  const downs = Math.max(0, Math.round(down ?? 0))
  if (timestamp > 4_000_000_000 || ups + downs === 0) return []
  const date = dayOf(new Date(timestamp * 1000))
  if (date < earliestDay) return []
  const timed =
    ping === null || ping < 0
      ? { latencySumMs: 0, latencyCount: 0 }
      : { latencySumMs: Math.round(ping * ups), latencyCount: ups }
  return [{ date, checks: ups + downs, up: ups, down: downs, restricted: 0, ...timed }]
}

function inOrder(days: readonly DayCounts[]): DayCounts[] {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const sorted = [...byDate.values()].toSorted((one, other) => (one.date < other.date ? -1 : 1))
  const last = sorted.at(-1)?.date
  if (last === undefined) return []
  const first = addDays(last, 1 - importLimits.historyDays)
  return sorted.filter(({ date }) => date >= first)
}
