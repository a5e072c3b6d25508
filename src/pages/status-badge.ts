import { daysLatency, daysUptime } from '#core/status-bars.ts'
import type { ShownMonitor, StatusModel } from '#core/status-model.ts'
import { type Tone, stateTones, stateWords } from '#core/status-standing.ts'
import { escapeHtml } from './page.ts'

export const badgeKinds = ['state', 'uptime', 'response'] as const
export type BadgeKind = (typeof badgeKinds)[number]

/** Of the page: how all are. */
export function renderPageBadge({ title, standing }: StatusModel): string {
  return badge({ label: title, value: standing.words, tone: standing.tone })
}

/**
 * Of one monitor, over so many UTC days. Null where the page does not show it, so that a badge tells nothing that the
 * page does not.
 */
export function renderBadge(
  model: StatusModel,
  { monitorId, kind, days }: { monitorId: string; kind: BadgeKind; days: number },
): string | null {
  const monitor = model.sections.flatMap(({ monitors }) => monitors).find(({ id }) => id === monitorId)
  if (monitor === undefined) return null
  const value = valueOf(monitor, { kind, days, now: model.at })
  return value === null ? null : badge({ label: labelOf(monitor.name, kind, days), ...value })
}

type Value = { value: string; tone: Tone }

function valueOf(
  monitor: ShownMonitor,
  { kind, days, now }: { kind: BadgeKind; days: number; now: Date },
): Value | null {
  switch (kind) {
    case 'state':
      return { value: stateWords[monitor.state], tone: stateTones[monitor.state] }
    case 'uptime': {
      if (monitor.bars === null) return null
      const uptime = daysUptime(monitor.days, { count: days, now })
      return uptime === null ? noData : { value: uptime, tone: uptimeTone(Number.parseFloat(uptime)) }
    }
    case 'response': {
      if (!monitor.showsResponse) return null
      const latencyMs = daysLatency(monitor.days, { count: days, now })
      return latencyMs === null ? noData : { value: `${latencyMs} ms`, tone: 'good' }
    }
  }
}

const noData: Value = { value: 'No data', tone: 'plain' }

function uptimeTone(percent: number): Tone {
  if (percent >= 99.5) return 'good'
  return percent >= 95 ? 'warning' : 'bad'
}

function labelOf(name: string, kind: BadgeKind, days: number): string {
  if (kind === 'state') return name
  return `${name} ${kind} ${days === 1 ? 'today' : `${days} d`}`
}

const colours: Readonly<Record<Tone, string>> = {
  good: '#0f7a44',
  warning: '#8f5f00',
  bad: '#b42626',
  plain: '#5b626b',
}
const padding = 8
const maxLabel = 48

/** Its text is text, for whoever does not see it, in a font that is everywhere and about as wide as is reckoned here. */
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

/** Of Verdana at 11 px, in tenths of a pixel; wide letters of other scripts count as 110. */
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
