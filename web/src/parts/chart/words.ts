import { plural, t } from '@lingui/core/macro'
import { inLanguage, listed, numberText } from '../language.ts'
import type { Band, Drawing } from './chart.ts'

const dayFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))
const timeFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))

/** The time of a step; days are those of UTC. */
export function whenOf(seconds: number, { isByDay, stepSeconds }: Drawing): string {
  const time = new Date(seconds * 1000)
  if (isByDay) return dayFormat().format(time)
  return timeFormat().formatRange(time, new Date((seconds + stepSeconds) * 1000))
}

/** What a chart says of one time. */
export type Reading = {
  when: string
  rows: { label: string; colour: string; text: string }[]
  failed: number
  degraded: number
  bands: readonly Band[]
}

export function readingAt(drawing: Drawing, index: number): Reading {
  const { times, lines, failures, degraded, bands, stepSeconds } = drawing
  const from = times[index] ?? 0
  return {
    when: whenOf(from, drawing),
    rows: lines.map(({ label, colour, values, slowest }) => {
      return { label, colour, text: valueText(values[index] ?? null, slowest?.[index] ?? null) }
    }),
    failed: failures[index] ?? 0,
    degraded: degraded[index] ?? 0,
    bands: bands.filter((band) => band.from < from + stepSeconds && band.to > from),
  }
}

/** The same in one sentence, for screen readers. */
export function readingText({ when, rows, failed, degraded, bands }: Reading): string {
  const values = rows.filter(({ text }) => text !== noValue).map(({ label, text }) => `${label} ${text}`)
  const marks = [
    ...(failed > 0 ? [failedText(failed)] : []),
    ...(degraded > 0 ? [degradedText(degraded)] : []),
    ...bands.map(({ title }) => title),
  ]
  const said = [...values, ...marks]
  return said.length === 0 ? t`${when}: no checks` : `${when}: ${listed(said)}`
}

export function failedText(count: number): string {
  return plural(count, { one: '# failed check', other: '# failed checks' })
}

export function degradedText(count: number): string {
  return plural(count, { one: '# degraded check', other: '# degraded checks' })
}

/** As the axis writes it. */
export function axisText(ms: number): string {
  return ms >= 10_000 ? `${numberText(ms / 1000)} s` : `${ms} ms`
}

const noValue = '–'

function valueText(value: number | null, slowest: number | null): string {
  if (value === null) return noValue
  return slowest === null || slowest === value ? `${value} ms` : t`${value} ms, up to ${slowest} ms`
}
