// What a call of a push_metric monitor tells (docs/kinds/push_metric.md).
import type { ResultStatus } from '#core/results/result.ts'

/** The largest number that counts, in either direction. */
export const maxMetric = 1e15
export const maxUnitLength = 20

/** In the order in which numbers have to rise; each may be left out. */
export const metricBounds = ['down_below', 'degraded_below', 'degraded_above', 'down_above'] as const

export type MetricOptions = { [bound in (typeof metricBounds)[number]]?: number | undefined } & {
  unit?: string | undefined
}

/** A longer text is no number, and no JSON that has one. */
const maxTextLength = 10_000
const maxNumberLength = 40

/**
 * The number in the query, or else in the body: as text, as the member `value` of JSON, or as the field `value` of a form.
 * Null where there is none, or one that does not count.
 */
export function readMetric(query: string | undefined, body: string): number | null {
  if (query !== undefined) return numberOf(query)
  if (body.length > maxTextLength) return null
  return numberOf(body) ?? memberOf(body) ?? numberOf(new URLSearchParams(body.trim()).get('value') ?? '')
}

function numberOf(text: string): number | null {
  const trimmed = text.trim()
  const isNumber = trimmed.length <= maxNumberLength && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)
  return isNumber ? counted(Number(trimmed)) : null
}

function memberOf(body: string): number | null {
  try {
    const parsed: unknown = JSON.parse(body)
    const value = typeof parsed === 'object' && parsed !== null && 'value' in parsed ? parsed.value : null
    return typeof value === 'number' ? counted(value) : null
  } catch {
    return null
  }
}

function counted(number: number): number | null {
  return Math.abs(number) <= maxMetric ? number : null
}

/** What a number means by the bounds of its monitor; `error` says which of them it is beyond. */
export function judgeMetric(value: number, options: MetricOptions): { status: ResultStatus; error: string | null } {
  const { down_below: least, down_above: most, degraded_below: low, degraded_above: high, unit } = options
  const bounds = [
    ['down', 'less', least],
    ['down', 'more', most],
    ['degraded', 'less', low],
    ['degraded', 'more', high],
  ] as const
  for (const [status, direction, bound] of bounds)
    if (bound !== undefined && (direction === 'less' ? value < bound : value > bound))
      return { status, error: `The value ${shown(value, unit)} is ${direction} than ${shown(bound, unit)}` }
  return { status: 'up', error: null }
}

function shown(number: number, unit: string | undefined): string {
  return unit === undefined ? String(number) : `${number} ${unit}`
}

/** The options of a monitor of this kind, as they are stored. */
export function metricOptionsOf(stored: Readonly<Record<string, unknown>>): MetricOptions {
  const { unit } = stored
  const bounds = metricBounds.flatMap((bound) => {
    const number = stored[bound]
    return typeof number === 'number' ? [[bound, number] as const] : []
  })
  return { ...Object.fromEntries(bounds), ...(typeof unit === 'string' ? { unit } : {}) }
}
