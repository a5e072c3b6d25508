// Healthchecks: what its Management API answers to GET /api/v3/checks/ (https://healthchecks.io/docs/api/). It tells
// which integrations a check has, and not what they are.
import { z } from 'zod'
import { maxScheduleLength, scheduleProblem } from '#core/monitors/call-schedule.ts'
import { isTimeZone } from '#core/language/time-zone.ts'
import { createFindings, type Findings, type Where } from './findings.ts'
import { listOf } from '#core/language/foreign-lists.ts'
import { flag, numberOrNull, parseImportJson, readAs, textOrNull } from './import-json.ts'
import { type ImportedFile, type ImportedMonitor, importLimits } from './imported.ts'
import { nameOf, notesOf, shown, tagsOf } from './monitor-parts.ts'

const checkSchema = z.object({
  name: textOrNull,
  slug: textOrNull,
  tags: textOrNull,
  desc: textOrNull,
  grace: numberOrNull,
  status: textOrNull,
  methods: textOrNull,
  filter_subject: flag,
  filter_body: flag,
  filter_http_body: flag,
  channels: textOrNull,
  uuid: textOrNull,
  ping_url: textOrNull,
  timeout: numberOrNull,
  schedule: textOrNull,
  tz: textOrNull,
})
type Check = z.infer<typeof checkSchema>

const exportSchema = z.object({ checks: listOf(checkSchema, importLimits.monitors) })

/** The file does not tell the project's ping key, with which jobs call checks by their slugs. */
export function readHealthchecks(content: string, pingKey: string | null = null): ImportedFile {
  const { checks } = readAs(parseImportJson(content), exportSchema)
  const findings = createFindings()
  for (const [index, check] of checks.entries()) readCheck(check, `checks[${index}]`, { findings, pingKey })
  return findings.file()
}

type Reading = { findings: Findings; pingKey: string | null }

const maxSeconds = 86_400

function readCheck(check: Check, place: string, { findings, pingKey }: Reading): void {
  const where = { place, findings }
  const rhythm = rhythmOf(check, where)
  if (rhythm === null) return
  noteRest(check, where)
  const name = nameOf(check.name ?? check.slug, check.uuid ?? 'Check')
  const key = findings.keyOf('monitors', check.slug ?? name)
  const isAdded = findings.addMonitor({
    key,
    place,
    isPaused: check.status === 'paused',
    history: [],
    input: {
      name,
      kind: 'heartbeat',
      ...rhythm,
      recovery_threshold: 1,
      ...notesOf(check.desc, { place: `${place}.desc`, findings }),
      tags: tagsOf(
        (check.tags ?? '').split(/\s+/).filter((tag) => tag !== ''),
        where,
      ),
      // Integrations do not arrive, and a monitor of which no contact is told would fail unnoticed.
      contacts: check.channels === null ? [] : null,
    },
  })
  if (!isAdded) return
  const bySlug = pingKey === null || check.slug === null ? null : `${pingKey}/${check.slug}`
  for (const token of [tokenOf(check), bySlug])
    if (token !== null) findings.addHeartbeat({ monitorKey: key, address: { type: 'healthchecks_ping', token } })
}

const uuidForm = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** Jobs call `<server>/<uuid>`. A key that may only read does not show it. */
function tokenOf({ uuid, ping_url: url }: Check): string | null {
  return (uuidForm.exec(uuid ?? '') ?? uuidForm.exec(url ?? ''))?.[0].toLowerCase() ?? null
}

function noteRest(check: Check, { place, findings }: Where): void {
  if (check.channels !== null)
    findings.changed(
      `${place}.channels`,
      'The file does not have the addresses of its integrations. All contacts of the workspace are alerted.',
    )
  if (check.methods !== null) findings.changed(`${place}.methods`, 'In Perigee, GET calls count too.')
  if (check.filter_subject || check.filter_body || check.filter_http_body)
    findings.lost(
      `${place}.filter_body`,
      'Perigee does not search the content of calls, so any call counts as a success.',
    )
  if (tokenOf(check) === null)
    findings.changed(`${place}.ping_url`, 'The file does not have its address, so give its job the new one.')
}

type Rhythm = Pick<ImportedMonitor['input'], 'interval_seconds' | 'check_options' | 'heartbeat_grace_seconds'>

/** Null, with a note, for what cannot be expected here. */
function rhythmOf(check: Check, where: Where): Rhythm | null {
  return check.schedule === null ? periodOf(check, where) : scheduleOf(check, where)
}

function scheduleOf({ schedule, tz, grace }: Check, { place, findings }: Where): Rhythm | null {
  const [expression, timeZone] = [(schedule ?? '').trim(), tz ?? 'UTC']
  const problem = isTimeZone(timeZone)
    ? scheduleProblem({ expression, timeZone })
    : `"${shown(timeZone)}" is no time zone of the IANA database.`
  if (problem !== null || expression.length > maxScheduleLength) {
    findings.lost(
      `${place}.schedule`,
      problem ?? `"${shown(expression)}" is longer than ${maxScheduleLength} characters.`,
    )
    return null
  }
  const late = Math.max(0, Math.round(grace ?? 0))
  if (late > maxSeconds)
    findings.changed(`${place}.grace`, `In Perigee, a call can be late by at most ${maxSeconds} seconds.`)
  return {
    check_options: { schedule: expression, time_zone: timeZone },
    heartbeat_grace_seconds: Math.min(maxSeconds, late),
  }
}

function periodOf({ timeout, grace: late }: Check, { place, findings }: Where): Rhythm | null {
  if (timeout === null) {
    findings.lost(`${place}.timeout`, 'It has neither a period nor a schedule.')
    return null
  }
  const [period, grace] = [Math.round(timeout), Math.max(0, Math.round(late ?? 0))]
  const interval = Math.min(maxSeconds, Math.max(10, period))
  const allowed = period + grace - interval
  if (allowed > maxSeconds) {
    findings.lost(
      place,
      `It may be silent for ${period + grace} seconds. In Perigee, a monitor without a schedule can be silent for at most two days.`,
    )
    return null
  }
  return { interval_seconds: interval, heartbeat_grace_seconds: Math.max(0, allowed) }
}
