import { type StatusBar, barsUptime, runsOfBars } from '#core/status-bars.ts'
import { barDays } from '#core/uptime-bars.ts'
import type { ResponseChart, ShownMonitor } from '#core/status-model.ts'
import { stateTones, stateWords } from '#core/status-standing.ts'
import { escapeHtml } from './page.ts'
import { barText, dayText, moment, runText } from './status-text.ts'

/** A monitor among those of its section, as an item of a list. */
export function monitorItem({ name, state, downSince, bars, response, showsResponse }: ShownMonitor): string {
  return [
    `<li class="m"><div class="h"><h3>${escapeHtml(name)}</h3><p class="s ${stateTones[state]}">${stateWords[state]}</p></div>`,
    downSince === null ? '' : `<p class="w">Down since ${moment(downSince)}</p>`,
    bars === null ? '' : barChart(bars),
    response !== null ? responseLine(response) : bars === null && showsResponse ? noResponses : '',
    '</li>',
  ].join('')
}

const noResponses = '<p class="a"><span>No response times in the last 24 hours</span></p>'

/** Units of the drawing: a bar with the gap behind it, and the bar alone. */
const step = 4
const width = 3
/** Most bars are up, and need no name. */
const classes = {
  none: ' class=n',
  up: '',
  degraded: ' class=g',
  near: ' class=o',
  partial: ' class=p',
  down: ' class=d',
} as const

/**
 * A path for each run of bars that look the same, dashed into bars; each says in words what it shows, to whoever points
 * at it. What failed stands below as text, for whoever does not.
 */
function barChart(bars: readonly StatusBar[]): string {
  const uptime = barsUptime(bars)
  const [first] = bars
  if (uptime === null || first === undefined) return '<p class="a"><span>No checks yet</span></p>'
  let index = 0
  const isShort = isInDays(bars)
  const paths = runsOfBars(bars).map((run) => {
    const from = index * step
    index += run.length
    const to = (index - 1) * step + width
    // Without quotes (HTML 13.1.2.3): these are most of a page.
    return `<path${classes[run[0]?.tone ?? 'none']} d=M${from},0H${to}><title>${runText(run, isShort)}</title></path>`
  })
  return [
    `<svg class="b" viewBox="0 -17 ${bars.length * step - 1} 34" preserveAspectRatio="none" aria-hidden="true">`,
    ...paths,
    `</svg><div class="a"><span>${beginning(first, bars.length)}</span>${uptimeText(bars, uptime)}<span>Today</span></div>`,
  ].join('')
}

/** Within 90 days a date needs no year. */
function isInDays(bars: readonly StatusBar[]): boolean {
  return bars.length <= barDays && bars.every(({ from, to }) => from === to)
}

function beginning({ from, to }: StatusBar, count: number): string {
  return from === to && count === barDays ? `${barDays} days ago` : `Since ${dayText(from)}`
}

const maxListed = 8

/** The percentage, and where something failed the days on which it did: the newest first. */
function uptimeText(bars: readonly StatusBar[], uptime: string): string {
  const failing = bars.filter(({ tone }) => tone !== 'none' && tone !== 'up').toReversed()
  const [first] = failing
  if (first === undefined) return `<span>${uptime} uptime</span>`
  const what = first.from === first.to ? 'day' : 'period'
  const count = failing.length === 1 ? `1 ${what}` : `${failing.length} ${what}s`
  const more = failing.length - maxListed
  return [
    `<details><summary>${uptime} uptime</summary><p>${count} with problems</p><ul>`,
    ...failing.slice(0, maxListed).map((bar) => `<li>${barText(bar, isInDays(bars))}`),
    more > 0 ? `<li>and ${more} more before ${dayText(failing[maxListed - 1]?.from ?? '')}` : '',
    '</ul></details>',
  ].join('')
}

const chart = { height: 28, top: 3, floor: 26 }

function responseLine({ averagesMs, averageMs, fastestMs, slowestMs }: ResponseChart): string {
  const range = fastestMs === slowestMs ? '' : `, ${fastestMs}–${slowestMs} ms`
  const lines = segmentsOf(averagesMs).map((segment) => lineOf(segment, { slowestMs, last: averagesMs.length - 1 }))
  return [
    `<div class="r"><svg viewBox="0 0 ${averagesMs.length - 1} ${chart.height}" preserveAspectRatio="none" aria-hidden="true">`,
    `<path d="${lines.join('')}"/></svg>`,
    `<p>Response <span class="vh">time in the last 24 hours: </span>${averageMs} ms${range}</p></div>`,
  ].join('')
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

/** How far a drawing reaches beyond its edges, where nobody sees it. */
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
