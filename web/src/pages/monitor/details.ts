import { labelOf } from '../../parts/schema/schema.ts'

export type Phase = { name: string; label: string; ms: number }

const phaseLabels = {
  dns_ms: 'Name',
  connect_ms: 'Connect',
  tls_ms: 'TLS',
  ttfb_ms: 'Wait',
  transfer_ms: 'Transfer',
} as const
export const phaseNames = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms'] as const
export type PhaseName = (typeof phaseNames)[number]

export function phaseLabel(name: PhaseName): string {
  return phaseLabels[name]
}

/** The phases of a check that took place, in their order. */
export function phasesOf(details: Readonly<Record<string, unknown>>): Phase[] {
  return phaseNames.flatMap((name) => {
    const ms = details[name]
    return typeof ms === 'number' ? [{ name, label: phaseLabels[name], ms }] : []
  })
}

const isPhase: ReadonlySet<string> = new Set(phaseNames)

/** What else a result tells, in words; what is empty is left out. */
export function detailFacts(details: Readonly<Record<string, unknown>>): { term: string; text: string }[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (isPhase.has(name) || isEmpty(value)) return []
    const { label, unit } = labelOf(name)
    return [{ term: label, text: unit === null ? textOf(value) : `${textOf(value)} ${unit}` }]
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.map(String).join(', ')
  return JSON.stringify(value)
}

export function milliseconds(ms: number): string {
  return ms < 10_000 ? `${ms.toLocaleString('en')} ms` : `${Number((ms / 1000).toFixed(1))} s`
}

const spans = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** 300 as "5 minutes", 90 as "90 seconds". */
export function durationText(seconds: number): string {
  const [unit, length] = spans.find((span) => seconds >= span[1] && seconds % span[1] === 0) ?? (['second', 1] as const)
  const count = seconds / length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The two largest parts: 5,400,000 ms are "1 h 30 min". */
export function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'under a minute'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} days ${hours % 24} h`
}

/** Three decimals at most, and never 100 for less. */
export function percentText(percent: number | null): string {
  if (percent === null) return '–'
  const text = percent.toFixed(3).replace(/\.?0+$/, '')
  return `${text} %`
}
