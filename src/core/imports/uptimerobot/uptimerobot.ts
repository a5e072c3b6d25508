// UptimeRobot: what its API answers to getMonitors, version 2, with alert_contacts, mwindows, custom_http_headers and
// custom_http_statuses asked for (https://uptimerobot.com/api/legacy/). Several answers are joined, since each has 50.
import { z } from 'zod'
import { createFindings, type Findings, type Where } from '#core/imports/findings.ts'
import { listOf } from '#core/language/foreign-lists.ts'
import { ifGiven, numberOrNull, parseImportJson, readAs, textOrNull } from '#core/imports/import-json.ts'
import { ImportError, type ImportedFile, importLimits, type ImportedMonitorInput } from '#core/imports/imported.ts'
import { graceOf, intervalOf, nameOf, shown, tagsOf, timeoutOf } from '#core/imports/monitor-parts.ts'
import { createRobotContacts, type RobotContact, robotContactSchema } from './uptimerobot-contacts.ts'
import { robotSettings, robotWebSchema } from './uptimerobot-kinds.ts'
import { readRobotTable } from './uptimerobot-table.ts'
import { createRobotWindows, robotWindowSchema } from './uptimerobot-windows.ts'

const monitorSchema = robotWebSchema.extend({
  id: textOrNull,
  interval: numberOrNull,
  timeout: numberOrNull,
  status: numberOrNull,
  grace_period: numberOrNull,
  alert_contacts: ifGiven(listOf(robotContactSchema, 100)),
  mwindows: ifGiven(listOf(robotWindowSchema, 100)),
  tags: ifGiven(listOf(z.union([textOrNull, z.object({ name: textOrNull })]), 100)),
})
type Monitor = z.infer<typeof monitorSchema>

const monitorsSchema = listOf(monitorSchema, importLimits.monitors)
const answerSchema = z.object({ monitors: monitorsSchema })
const maxAnswers = 200

/** Of the API, or a table with a line of names: see uptimerobot-table.ts. */
export function readUptimeRobot(content: string, now: Date): ImportedFile {
  const monitors = /^\s*[[{]/.test(content) ? answered(content) : readAs(readRobotTable(content), monitorsSchema)
  if (monitors.length > importLimits.monitors)
    throw new ImportError(`It has more than ${importLimits.monitors} monitors.`)
  const findings = createFindings()
  const contacts = createRobotContacts(findings)
  const windows = createRobotWindows(findings, now)
  for (const monitor of monitors) {
    const id = monitor.id === null ? '' : ` ${monitor.id}`
    const place = `monitor${id} "${shown(monitor.friendly_name ?? '')}"`
    const key = readMonitor(monitor, { place, findings, contacts })
    if (key !== null) for (const window of monitor.mwindows ?? []) windows.add(window, key)
  }
  windows.finish()
  return findings.file()
}

function answered(content: string): Monitor[] {
  const value = parseImportJson(content)
  if (!Array.isArray(value)) return readAs(value, answerSchema).monitors
  if (value.length > maxAnswers) throw new ImportError(`It has more than ${maxAnswers} answers.`)
  return value.flatMap((answer: unknown, index) => readAs(answer, answerSchema, `[${index}]`).monitors)
}

type Reading = { place: string; findings: Findings; contacts: { keyOf: (contact: RobotContact) => string | null } }

const paused = 0
const usualIntervalSeconds = 300

/** Returns the key of the monitor, null where it does not arrive. */
function readMonitor(monitor: Monitor, { place, findings, contacts }: Reading): string | null {
  const where = { place, findings }
  const settings = robotSettings(monitor, where)
  if (settings === null) return null
  const name = nameOf(monitor.friendly_name, monitor.url ?? 'Monitor')
  const key = findings.keyOf('monitors', name)
  const words = (monitor.tags ?? []).flatMap((tag) =>
    typeof tag === 'object' && tag !== null ? (tag.name ?? []) : (tag ?? []),
  )
  const isAdded = findings.addMonitor({
    key,
    place,
    isPaused: monitor.status === paused,
    history: [],
    input: {
      name,
      ...rhythmOf(monitor, where),
      ...settings,
      ...alertingOf(monitor, where),
      contacts: [...new Set((monitor.alert_contacts ?? []).flatMap((contact) => contacts.keyOf(contact) ?? []))],
      tags: tagsOf(words, where),
    },
  })
  return isAdded ? key : null
}

const heartbeat = 5

function rhythmOf(monitor: Monitor, { place, findings }: Where): Partial<ImportedMonitorInput> {
  const interval = intervalOf(monitor.interval ?? usualIntervalSeconds, { place: `${place}.interval`, findings })
  if (monitor.type === heartbeat)
    return {
      interval_seconds: interval,
      heartbeat_grace_seconds: graceOf(monitor.grace_period ?? 0, { place: `${place}.grace_period`, findings }),
    }
  const timeout = monitor.timeout === null || monitor.timeout === 0 ? 30 : monitor.timeout
  return {
    interval_seconds: interval,
    timeout_ms: timeoutOf(timeout * 1000, { place: `${place}.timeout`, findings }),
    recovery_threshold: 1,
  }
}

/** There each contact of a monitor has times of its own, in minutes; here the monitor has them. */
function alertingOf(monitor: Monitor, { place, findings }: Where): Partial<ImportedMonitorInput> {
  const given = monitor.alert_contacts ?? []
  const waits = new Set(given.map(({ threshold }) => Math.max(0, threshold ?? 0)))
  const repeats = new Set(given.map(({ recurrence }) => Math.max(0, recurrence ?? 0)))
  if (waits.size > 1 || repeats.size > 1)
    findings.changed(
      `${place}.alert_contacts`,
      'Its contacts have different delays or repeats. In Perigee, the shortest apply to all.',
    )
  const wait = Math.min(720, ...waits)
  const repeat = Math.min(...[...repeats].filter((minutes) => minutes > 0))
  const minutes = Number.isFinite(repeat) ? Math.min(1440, Math.max(5, Math.round(repeat))) : null
  if (minutes !== null && minutes !== repeat)
    findings.changed(
      `${place}.alert_contacts`,
      `Perigee repeats the alert every ${minutes} minutes; UptimeRobot did every ${repeat}.`,
    )
  const rules = {
    ...(waits.size > 0 && wait > 0 ? { after_minutes: Math.round(wait) } : {}),
    ...(minutes === null ? {} : { remind_every_minutes: minutes }),
  }
  return Object.keys(rules).length === 0 ? {} : { alert_rules: rules }
}
