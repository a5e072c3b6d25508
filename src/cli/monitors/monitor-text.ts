import { z } from 'zod'
import { spanInWords } from '#core/language/in-words.ts'
import { printable, table } from '#cli/table.ts'
import { type Paint, styleOf } from '#cli/terminal/paint.ts'
import { cut, padded } from '#cli/terminal/width.ts'
import { shownIncidentSchema, type ShownMonitor, shownMonitorSchema, stateOf } from './shown-monitor.ts'

/** How the text is laid out: for a terminal of so many columns, or without an end. */
export type Layout = { now: Date; columns: number | null; paint: Paint }

const percent = z.number().nullable()

/** What `GET /monitors/{id}` answers, as far as it is shown. */
export const detailSchema = z.looseObject({
  data: z.looseObject({
    ...shownMonitorSchema.shape,
    interval_seconds: z.number(),
    locations: z.array(z.string()),
    tags: z.array(z.string()),
  }),
  uptime: z.looseObject({ day: percent, week: percent, month: percent, average_latency_ms: percent }),
  results: z.array(
    z.looseObject({
      status: z.string(),
      latency_ms: percent,
      location_code: z.string(),
      checked_at: z.string(),
      error: z.string().nullable(),
    }),
  ),
  days: z.array(z.looseObject({ uptime: percent })),
  incidents: z.array(shownIncidentSchema),
})
export type Detail = z.infer<typeof detailSchema>

const resultsShown = 5
const incidentsShown = 3

export function listText(monitors: readonly ShownMonitor[], { now, columns, paint }: Layout): string {
  const states = monitors.map(stateOf)
  const rows = monitors.map(({ name, kind, url, last_checked_at: checked }, index) => [
    states[index] ?? '',
    name,
    kind,
    checked === null ? 'never' : `${ageOf(checked, now)} ago`,
    url ?? '',
  ])
  return table(['STATE', 'NAME', 'KIND', 'CHECKED', 'TARGET'], rows, {
    columns,
    paint: (cell, { column, row }) => (column === 0 ? paint(styleOf(states[row] ?? ''), cell) : cell),
  })
}

export function detailText(detail: Detail, layout: Layout): string {
  return `${detailLines(detail, layout).join('\n')}\n`
}

/** A monitor at a glance: how it is, what it was, what goes on. */
export function detailLines(detail: Detail, { now, columns, paint }: Layout): string[] {
  const { data, uptime, results, days, incidents } = detail
  const state = stateOf(data)
  const within = (line: string, beside = 0): string => (columns === null ? line : cut(line, columns - beside))
  const running = incidents.filter(({ status }) => status !== 'resolved')
  const facts: [string, string][] = [
    ...(data.url === null ? [] : [['target', printable(data.url)] satisfies [string, string]]),
    ['kind', data.kind],
    ['checked', checkedText(data, now)],
    ...(data.tags.length === 0 ? [] : [['tags', data.tags.map(printable).join(', ')] satisfies [string, string]]),
    ['id', data.id],
    ['uptime', uptimeText(uptime)],
  ]
  return [
    `${paint(styleOf(state), state)}  ${within(printable(data.name), state.length + 2)}`,
    ...running.map((incident) => within(`  ${incidentText(incident, now)}`)),
    '',
    ...facts.map(([name, text]) => within(`  ${name.padEnd(9)}${text}`)),
    `  ${'90 days'.padEnd(9)}${barOf(days, { paint, width: columns === null ? days.length : columns - 11 })}`,
    ...section('LATEST RESULTS', results.slice(0, resultsShown).map(resultLine(now)), within),
    ...section('INCIDENTS', incidents.slice(0, incidentsShown).map(incidentLine(now)), within),
  ]
}

function section(title: string, lines: readonly string[], within: (line: string) => string): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => within(`  ${line}`))]
}

function checkedText(
  { interval_seconds: interval, locations, last_checked_at: at }: Detail['data'],
  now: Date,
): string {
  const from = locations.length === 0 ? '' : ` from ${locations.map(printable).join(', ')}`
  return `every ${spanInWords(interval)}${from}, ${at === null ? 'not checked yet' : `last ${ageOf(at, now)} ago`}`
}

function uptimeText({ day, week, month, average_latency_ms: latency }: Detail['uptime']): string {
  const parts = [
    `${percentText(day)} today`,
    `${percentText(week)} in 7 days`,
    `${percentText(month)} in 30 days`,
    ...(latency === null ? [] : [`${latency} ms on average`]),
  ]
  return parts.join(', ')
}

function percentText(value: number | null): string {
  return value === null ? 'not measured' : `${value} %`
}

/** A sign a day, the newest last: full, half and low stand for uptimes that differ also without colours. */
function barOf(days: Detail['days'], { paint, width }: { paint: Paint; width: number }): string {
  return days
    .slice(-Math.max(1, width))
    .map(({ uptime }) => {
      if (uptime === null) return paint('gray', '·')
      if (uptime >= 100) return paint('green', '█')
      return uptime >= 99 ? paint('yellow', '▆') : paint('red', '▃')
    })
    .join('')
}

function resultLine(now: Date): (result: Detail['results'][number]) => string {
  return ({ status, latency_ms: latency, location_code: location, checked_at: at, error }) =>
    [
      padded(`${ageOf(at, now)} ago`, 10),
      padded(status, 8),
      padded(location, 8),
      (latency === null ? '' : `${latency} ms`).padStart(8),
      error === null ? '' : printable(error),
    ]
      .join('  ')
      .trimEnd()
}

function incidentLine(now: Date): (incident: Detail['incidents'][number]) => string {
  return (incident) => incidentText(incident, now)
}

/** An incident in a line. */
export function incidentText(
  { status, title, cause, started_at: started, resolved_at: resolved }: Incident,
  now: Date,
): string {
  const end = resolved === null ? now : new Date(resolved)
  const lasted = spanInWords(Math.max(0, (end.getTime() - Date.parse(started)) / 1000))
  const length = resolved === null ? `for ${lasted}` : `${ageOf(resolved, now)} ago, after ${lasted}`
  return `${status} ${length}: ${printable(cause ?? title)}`
}

type Incident = Detail['incidents'][number]

export function ageOf(time: string, now: Date): string {
  return spanInWords(Math.max(0, (now.getTime() - Date.parse(time)) / 1000))
}
