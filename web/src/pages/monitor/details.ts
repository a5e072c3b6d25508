import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { listed, numberText } from '../../parts/language.ts'
import { labelOf } from '../../api/schema.ts'

export type Phase = { name: string; label: string; ms: number }

export const phaseNames = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms'] as const
export type PhaseName = (typeof phaseNames)[number]

const phaseWords: Readonly<Record<PhaseName, MessageDescriptor>> = {
  dns_ms: msg({ message: 'Name', context: 'phase of a check: the name is looked up' }),
  connect_ms: msg({ message: 'Connect', context: 'phase of a check' }),
  tls_ms: msg({ message: 'TLS', context: 'phase of a check' }),
  ttfb_ms: msg({ message: 'Wait', context: 'phase of a check: until the answer begins' }),
  transfer_ms: msg({ message: 'Transfer', context: 'phase of a check' }),
}

export function phaseLabel(name: PhaseName): string {
  return i18n._(phaseWords[name])
}

/** The phases of a check that took place, in their order. */
export function phasesOf(details: Readonly<Record<string, unknown>>): Phase[] {
  return phaseNames.flatMap((name) => {
    const ms = details[name]
    return typeof ms === 'number' ? [{ name, label: phaseLabel(name), ms }] : []
  })
}

const isPhase: ReadonlySet<string> = new Set(phaseNames)

/** The other details of a result, in words; empty ones are left out. */
export function detailFacts(details: Readonly<Record<string, unknown>>): { term: string; text: string }[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (isPhase.has(name) || isEmpty(name, value)) return []
    const { label, unit } = labelOf(name)
    return [{ term: label, text: unit === null ? textOf(value) : `${textOf(value)} ${unit}` }]
  })
}

/** Members in which 0 is a finding, or a bound, like any other number. */
const isNumberOf =
  /^(?:value|consumers|ready_messages|list_length|(?:down|degraded)_(?:above|below)|m(?:ax|in)_(?:value|messages|list_length))$/

function isEmpty(name: string, value: unknown): boolean {
  if (value === 0) return !isNumberOf.test(name)
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return listed(value.map(String))
  return JSON.stringify(value)
}

export function milliseconds(ms: number): string {
  if (ms < 10_000) return `${numberText(ms)} ms`
  return `${(ms / 1000).toLocaleString(i18n.locale, { maximumFractionDigits: 1, useGrouping: false })} s`
}

const spans = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** 300 as "5 minutes", 90 as "90 seconds". */
export function durationText(seconds: number): string {
  const [unit, count] = inUnits(seconds)
  switch (unit) {
    case 'day':
      return plural(count, { one: '# day', other: '# days' })
    case 'hour':
      return plural(count, { one: '# hour', other: '# hours' })
    case 'minute':
      return plural(count, { one: '# minute', other: '# minutes' })
    case 'second':
      return plural(count, { one: '# second', other: '# seconds' })
  }
}

/** 60 as "every minute", 300 as "every 5 minutes". */
export function intervalText(seconds: number): string {
  const [unit, count] = inUnits(seconds)
  switch (unit) {
    case 'day':
      return plural(count, { one: 'every day', other: 'every # days' })
    case 'hour':
      return plural(count, { one: 'every hour', other: 'every # hours' })
    case 'minute':
      return plural(count, { one: 'every minute', other: 'every # minutes' })
    case 'second':
      return plural(count, { one: 'every second', other: 'every # seconds' })
  }
}

/** In the largest unit of which it is a whole number. */
function inUnits(seconds: number): [unit: (typeof spans)[number][0], count: number] {
  const [unit, length] = spans.find((span) => seconds >= span[1] && seconds % span[1] === 0) ?? (['second', 1] as const)
  return [unit, seconds / length]
}

/** The two largest parts: 5,400,000 ms are "1 h 30 min". */
export function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return t`under a minute`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  const [days, rest] = [Math.floor(hours / 24), hours % 24]
  return t`${plural(days, { one: '# day', other: '# days' })} ${rest} h`
}

/** Three decimals at most, and never 100 for less. */
export function percentText(percent: number | null): string {
  if (percent === null) return '–'
  return `${numberText(percent)} %`
}
