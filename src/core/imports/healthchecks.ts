// Healthchecks: what its Management API answers to GET /api/v3/checks/ (https://healthchecks.io/docs/api/). It tells
// which integrations a check has, and not what they are.
import { Cron } from 'croner'
import { z } from 'zod'
import { isTimeZone } from '#core/language/time-zone.ts'
import { createFindings, type Findings, type Where } from './findings.ts'
import { listOf } from '#core/language/foreign-lists.ts'
import { flag, numberOrNull, parseImportJson, readAs, textOrNull } from './import-json.ts'
import { type ImportedFile, importLimits } from './imported.ts'
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
  const gaps = createGaps()
  for (const [index, check] of checks.entries()) readCheck(check, `checks[${index}]`, { findings, gaps, pingKey })
  return findings.file()
}

type Reading = { findings: Findings; gaps: Gaps; pingKey: string | null }

const maxSeconds = 86_400

function readCheck(check: Check, place: string, { findings, gaps, pingKey }: Reading): void {
  const where = { place, findings }
  const rhythm = rhythmOf(check, gaps, where)
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

type Rhythm = { interval_seconds: number; heartbeat_grace_seconds: number }

/** Null, with a note, for what may be silent for longer than monitors here. */
function rhythmOf(check: Check, gaps: Gaps, { place, findings }: Where): Rhythm | null {
  const period = check.schedule === null ? check.timeout : gaps.longest(check.schedule, check.tz ?? 'UTC')
  if (period === null) {
    findings.lost(`${place}.schedule`, `"${shown(check.schedule ?? '')}" is no schedule of cron that can be read.`)
    return null
  }
  const grace = Math.max(0, Math.round(check.grace ?? 0))
  const interval = Math.min(maxSeconds, Math.max(10, Math.round(period)))
  const late = Math.round(period) + grace - interval
  if (late > maxSeconds) {
    findings.lost(
      place,
      `It may be silent for ${Math.round(period) + grace} seconds. In Perigee, a monitor can be silent for at most two days.`,
    )
    return null
  }
  if (check.schedule !== null)
    findings.changed(
      `${place}.schedule`,
      `In Healthchecks, it is due at set times ("${shown(check.schedule)}"). In Perigee, it is due within ${interval + late} seconds of its last call.`,
    )
  return { interval_seconds: interval, heartbeat_grace_seconds: Math.max(0, late) }
}

type Gaps = { longest: (schedule: string, timeZone: string) => number | null }

const maxSchedules = 100
/** Clocks are put back within these days in Europe and in America, which makes one night an hour longer. */
const observedFrom = Date.parse('2026-10-23T00:00:00Z')
const observedMs = 11 * 86_400_000
/** Once a minute for eleven days. */
const maxRuns = 16_000

/** The longest time between two runs of those days, in seconds; null for what cannot be read. */
function createGaps(): Gaps {
  const known = new Map<string, number | null>()
  return {
    longest: (schedule, timeZone) => {
      const key = `${timeZone} ${schedule}`
      const gap =
        known.get(key) ?? (known.has(key) || known.size >= maxSchedules ? null : longestGap(schedule, timeZone))
      if (known.size < maxSchedules) known.set(key, gap)
      return gap
    },
  }
}

function longestGap(schedule: string, timezone: string): number | null {
  if (schedule.trim().split(/\s+/).length !== 5 || schedule.length > 100 || !isTimeZone(timezone)) return null
  let longest = 0
  try {
    const cron = new Cron(schedule, { timezone, mode: '5-part' })
    let last = cron.nextRun(new Date(observedFrom))
    for (let runs = 0; last !== null && runs < maxRuns; runs += 1) {
      const next: Date | null = cron.nextRun(last)
      if (next === null) return null
      longest = Math.max(longest, next.getTime() - last.getTime())
      last = next
      if (last.getTime() - observedFrom > observedMs) break
    }
  } catch {
    return null
  }
  return longest === 0 ? null : longest / 1000
}
