import { type StatusBar, barsUptime, runsOfBars } from '#core/status-pages/status-bars.ts'
import { barDays } from '#core/results/uptime-bars.ts'
import { dayOf } from '#core/language/utc-day.ts'
import type { ResponseChart, ShownMonitor } from '#core/status-pages/status-model.ts'
import { stateTones } from '#core/status-pages/status-standing.ts'
import { stateText } from '#core/status-pages/status-words.ts'
import { escapeHtml } from '#http/html-page.ts'
import { type PageTexts, spanText } from '#core/status-pages/page-texts.ts'
import { barText, moment, runText, withPieces } from './status-text.ts'

/** A monitor among those of its section, as an item of a list. */
export function monitorItem(
  i18n: PageTexts,
  { name, state, downSince, watchedSince, bars, response, showsResponse }: ShownMonitor,
  at: Date,
): string {
  return [
    `<li class="m"><div class="h"><h3>${escapeHtml(name)}</h3><p class="s ${stateTones[state]}">${escapeHtml(stateText(i18n, state))}</p></div>`,
    downSince === null ? '' : `<p class="w">${downText(i18n, downSince)}</p>`,
    bars === null ? '' : barChart(i18n, bars, watchedSince === null ? null : { since: watchedSince, at }),
    response !== null ? responseLine(i18n, response) : bars === null && showsResponse ? noResponses(i18n) : '',
    '</li>',
  ].join('')
}

/** The same in a few lines, for pages whose monitors stand side by side: without response times. */
export function monitorCell(
  i18n: PageTexts,
  { name, state, downSince, watchedSince, bars }: ShownMonitor,
  at: Date,
): string {
  const watched = watchedSince === null ? null : { since: watchedSince, at }
  const uptime = bars === null ? null : barsUptime(bars)
  return [
    `<li class="m"><div class="p"><h3>${escapeHtml(name)}</h3><p class="s ${stateTones[state]}">${escapeHtml(stateText(i18n, state))}</p></div>`,
    downSince === null ? '' : `<p class="w">${downText(i18n, downSince)}</p>`,
    bars === null || uptime === null
      ? ''
      : `${barDrawing(i18n, bars, watched)}<div class="u">${uptimeText(i18n, bars, uptime)}</div>`,
    '</li>',
  ].join('')
}

function downText(i18n: PageTexts, since: Date): string {
  return withPieces(i18n._('Down since <start/>'), { '<start/>': moment(i18n, since) })
}

function noResponses(i18n: PageTexts): string {
  return `<p class="a"><span>${escapeHtml(i18n._('No response times in the last 24 hours'))}</span></p>`
}

/** Units of the drawing: a bar with the gap behind it, and the bar alone. */
const step = 4
const width = 3
/** Most bars are up, and need no name. */
const classes = {
  before: ' class=w',
  none: ' class=n',
  up: '',
  degraded: ' class=g',
  near: ' class=o',
  partial: ' class=p',
  down: ' class=d',
} as const

/**
 * A path for each run of bars that look the same, dashed into bars; each says in words what it shows when a reader
 * points at it. Failures stand below as text too, for readers who do not point.
 */
function barChart(i18n: PageTexts, bars: readonly StatusBar[], watched: Watched | null): string {
  const uptime = barsUptime(bars)
  const [first] = bars
  if (uptime === null || first === undefined)
    return `<p class="a"><span>${escapeHtml(i18n._('No checks yet'))}</span></p>`
  return `${barDrawing(i18n, bars, watched)}<div class="a"><span>${escapeHtml(beginning(i18n, first, { count: bars.length, watched }))}</span>${uptimeText(i18n, bars, uptime)}<span>${escapeHtml(i18n._('Today'))}</span></div>`
}

function barDrawing(i18n: PageTexts, bars: readonly StatusBar[], watched: Watched | null): string {
  let index = 0
  const isShort = isInDays(bars)
  const paths = runsOfBars(bars).map((run) => {
    const from = index * step
    index += run.length
    const to = (index - 1) * step + width
    const isBefore = isBeforeWatched(run, watched)
    const look = classes[isBefore ? 'before' : (run[0]?.tone ?? 'none')]
    // Without quotes (HTML 13.1.2.3): these are most of a page.
    return `<path${look} d=M${from},0H${to}><title>${escapeHtml(runText(i18n, run, { isShort, isBefore }))}</title></path>`
  })
  return [
    `<svg class="b" viewBox="0 -17 ${bars.length * step - 1} 34" preserveAspectRatio="none" aria-hidden="true">`,
    ...paths,
    '</svg>',
  ].join('')
}

/** Within 90 days a date needs no year. */
function isInDays(bars: readonly StatusBar[]): boolean {
  return bars.length <= barDays && bars.every(({ from, to }) => from === to)
}

type Watched = { since: Date; at: Date }

/** Days on which a monitor was not watched yet are no days without checks: no bar stands for them. */
function isBeforeWatched(run: readonly StatusBar[], watched: Watched | null): boolean {
  const last = run.at(-1)
  return watched !== null && last?.tone === 'none' && last.to < dayOf(watched.since)
}

/** A monitor is not told to have been watched for 90 days before it has. */
function beginning(
  i18n: PageTexts,
  { from, to }: StatusBar,
  { count, watched }: { count: number; watched: Watched | null },
): string {
  if (from === to && count === barDays) {
    if (watched !== null && dayOf(watched.since) > from)
      return i18n._('Watched for {span}', { span: spanText(i18n, watched.at.getTime() - watched.since.getTime()) })
    return i18n._('{days, plural, one {# day ago} other {# days ago}}', { days: barDays })
  }
  return i18n._('Since {date}', { date: i18n.day(from) })
}

const maxListed = 8

/** The percentage, and where something failed the days on which it did: the newest first. */
function uptimeText(i18n: PageTexts, bars: readonly StatusBar[], percent: number): string {
  const uptime = escapeHtml(i18n._('{percent} uptime', { percent: i18n.percent(percent) }))
  const failing = bars.filter(({ tone }) => tone !== 'none' && tone !== 'up').toReversed()
  const [first] = failing
  if (first === undefined) return `<span>${uptime}</span>`
  const isShort = isInDays(bars)
  const counts = { count: failing.length }
  const problems =
    first.from === first.to
      ? i18n._('{count, plural, one {# day with problems} other {# days with problems}}', counts)
      : i18n._('{count, plural, one {# period with problems} other {# periods with problems}}', counts)
  const more = failing.length - maxListed
  return [
    `<details><summary>${uptime}</summary><p>${escapeHtml(problems)}</p><ul>`,
    ...failing.slice(0, maxListed).map((bar) => `<li>${escapeHtml(barText(i18n, bar, isShort))}`),
    more > 0 ? `<li>${escapeHtml(moreText(i18n, more, failing[maxListed - 1]?.from ?? ''))}` : '',
    '</ul></details>',
  ].join('')
}

function moreText(i18n: PageTexts, more: number, before: string): string {
  return i18n._('{more, plural, one {and # more before {date}} other {and # more before {date}}}', {
    more,
    date: i18n.day(before),
  })
}

const chart = { height: 28, top: 3, floor: 26 }

function responseLine(i18n: PageTexts, response: ResponseChart): string {
  return `<div class="r">${responseDrawing(response)}<p>${responseText(i18n, response)}</p></div>`
}

/** A single value is no line yet. */
function responseDrawing({ averagesMs, slowestMs }: ResponseChart): string {
  if (averagesMs.filter((ms) => ms !== null).length < 2) return ''
  const last = averagesMs.length - 1
  const lines = segmentsOf(averagesMs).map((segment) => lineOf(segment, { slowestMs, last }))
  return `<svg viewBox="0 0 ${last} ${chart.height}" preserveAspectRatio="none" aria-hidden="true"><path d="${lines.join('')}"/></svg>`
}

function responseText(i18n: PageTexts, { averageMs, fastestMs, slowestMs }: ResponseChart): string {
  const text =
    fastestMs === slowestMs
      ? i18n._('Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms', { averageMs })
      : i18n._('Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms, {fastestMs}–{slowestMs} ms', {
          averageMs,
          fastestMs,
          slowestMs,
        })
  return withPieces(text, { '<hidden>': '<span class="vh">', '</hidden>': '</span>' })
}

type Segment = { from: number; values: number[] }

/** Neighbouring quarter-hours that have a value. */
function segmentsOf(averagesMs: readonly (number | null)[]): Segment[] {
  const segments: Segment[] = []
  let open: Segment | null = null
  for (const [index, ms] of averagesMs.entries()) {
    if (ms === null) open = null
    else if (open === null) segments.push((open = { from: index, values: [ms] }))
    else open.values.push(ms)
  }
  return segments
}

/** How far a drawing reaches beyond its edges, where it is cut off. */
const beyond = 2

/**
 * The line with the area below it, whose other edges lie outside of the drawing where they can. Level stretches are one
 * step; a single value is a stretch as wide as one.
 */
function lineOf({ from, values }: Segment, { slowestMs, last }: { slowestMs: number; last: number }): string {
  const heights = values.map(
    (ms) => chart.floor - Math.round(((chart.floor - chart.top) * ms) / Math.max(1, slowestMs)),
  )
  const [first = chart.floor, ...others] = heights.length === 1 ? [...heights, ...heights] : heights
  let before = first
  let level = from === 0 ? beyond : 0
  let line = `M${from - level} ${chart.height + beyond}V${first}`
  for (const height of others) {
    if (height === before) level += 1
    else {
      line += `${level === 0 ? '' : `h${level}`}l1${height < before ? '' : ' '}${height - before}`
      level = 0
      before = height
    }
  }
  if (from + values.length > last) level += beyond
  return `${line}${level === 0 ? '' : `h${level}`}V${chart.height + beyond}z`
}
