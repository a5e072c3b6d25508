import { addDays, dayOf } from '#core/language/utc-day.ts'
import { daysLatency, daysUptime } from '#core/status-pages/status-bars.ts'
import type { ShownMonitor, StatusModel } from '#core/status-pages/status-model.ts'
import { type Tone, stateTones } from '#core/status-pages/status-standing.ts'
import { standingText, stateText } from '#core/status-pages/status-words.ts'
import { escapeHtml } from '#http/html-page.ts'
import { type PageTexts, spanText } from '#core/status-pages/page-texts.ts'

export const badgeKinds = ['state', 'uptime', 'response'] as const
export type BadgeKind = (typeof badgeKinds)[number]

/** The badge of the whole page. */
export function renderPageBadge({ title, standing }: StatusModel, i18n: PageTexts): string {
  return badge({ label: title, value: standingText(i18n, standing), tone: standing.tone })
}

/**
 * The badge of one monitor, over so many UTC days. Null where the page does not show the monitor, so that a badge tells
 * nothing that the page does not.
 */
export function renderBadge(
  model: StatusModel,
  { monitorId, kind, days }: { monitorId: string; kind: BadgeKind; days: number },
  i18n: PageTexts,
): string | null {
  const monitor = model.sections.flatMap(({ monitors }) => monitors).find(({ id }) => id === monitorId)
  if (monitor === undefined) return null
  const asked = { kind, days, now: model.at, i18n }
  const value = valueOf(monitor, asked)
  return value === null ? null : badge({ label: labelOf(monitor, asked), ...value })
}

type Value = { value: string; tone: Tone }

type Asked = { kind: BadgeKind; days: number; now: Date; i18n: PageTexts }

function valueOf(monitor: ShownMonitor, { kind, days, now, i18n }: Asked): Value | null {
  const noData: Value = { value: i18n._('No data'), tone: 'plain' }
  switch (kind) {
    case 'state':
      return { value: stateText(i18n, monitor.state), tone: stateTones[monitor.state] }
    case 'uptime': {
      if (monitor.bars === null) return null
      const uptime = daysUptime(monitor.days, { count: days, now })
      return uptime === null ? noData : { value: i18n.percent(uptime), tone: uptimeTone(uptime) }
    }
    case 'response': {
      if (!monitor.showsResponse) return null
      const latencyMs = daysLatency(monitor.days, { count: days, now })
      // How many milliseconds are good is for its owner to say, not for a colour.
      return latencyMs === null ? noData : { value: i18n._('{latencyMs} ms', { latencyMs }), tone: 'plain' }
    }
  }
}

function uptimeTone(percent: number): Tone {
  if (percent >= 99.5) return 'good'
  return percent >= 95 ? 'warning' : 'bad'
}

function labelOf(monitor: ShownMonitor, { kind, days, now, i18n }: Asked): string {
  const { name } = monitor
  const span = watchedSpan(monitor, { days, now, i18n })
  switch (kind) {
    case 'state':
      return name
    case 'uptime':
      if (span !== null) return i18n._('{name} uptime, watched for {span}', { name, span })
      return days === 1 ? i18n._('{name} uptime today', { name }) : i18n._('{name} uptime {days} d', { name, days })
    case 'response':
      if (span !== null) return i18n._('{name} response, watched for {span}', { name, span })
      return days === 1 ? i18n._('{name} response today', { name }) : i18n._('{name} response {days} d', { name, days })
  }
}

/** How long a monitor is watched, where that is less than the days that were asked for; else null. */
function watchedSpan({ watchedSince }: ShownMonitor, { days, now, i18n }: Omit<Asked, 'kind'>): string | null {
  if (watchedSince === null || dayOf(watchedSince) <= addDays(dayOf(now), 1 - days)) return null
  return spanText(i18n, now.getTime() - watchedSince.getTime())
}

const colours: Readonly<Record<Tone, string>> = {
  good: '#0f7a44',
  warning: '#8f5f00',
  bad: '#b42626',
  maintenance: '#235db3',
  plain: '#5b626b',
}
const padding = 8
const maxLabel = 48

/** The label is text, which screen readers read, in a font that is everywhere and about as wide as reckoned here. */
function badge({ label, value, tone }: { label: string } & Value): string {
  const characters = Array.from(label)
  const short = characters.length > maxLabel ? `${characters.slice(0, maxLabel - 1).join('')}…` : label
  const left = widthOf(short) + 2 * padding
  const right = widthOf(value) + 2 * padding
  const width = left + right
  const name = escapeHtml(`${short}: ${value}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3b4149"/><rect x="${left}" width="${right}" height="20" fill="${colours[tone]}"/></g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${textAt(padding, left - 2 * padding, short)}${textAt(left + padding, right - 2 * padding, value)}</g>`,
    '</svg>\n',
  ].join('')
}

function textAt(x: number, length: number, content: string): string {
  return `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeHtml(content)}</text>`
}

/** Widths of Verdana at 11 px, in tenths of a pixel; wide letters of other scripts count as 110. */
const widths: readonly (readonly [letters: string, tenths: number])[] = [
  ["iljI.,:;|!' ", 38],
  ['frt()[]{}"*-/1', 48],
  ['abcdeghknopqsuvxyzJLcFszST023456789_?', 66],
  ['ABCDEGHKNOPQRUVXYZ&+=<>~', 80],
  ['mwMW%@', 112],
]

function widthOf(text: string): number {
  let tenths = 0
  for (const letter of text)
    tenths += widths.find(([letters]) => letters.includes(letter))?.[1] ?? (letter > '\u02ff' ? 110 : 70)
  return Math.max(1, Math.round(tenths / 10))
}
