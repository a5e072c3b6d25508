// Conditions of Gatus: `[STATUS] == 200`. All of an endpoint have to hold. What can be said by our expectations is; the
// rest is noted with its place.
import { durationOf } from '#core/imports/durations.ts'
import type { Where } from '#core/imports/findings.ts'
import { innerJson } from '#core/imports/import-json.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import { shown } from '#core/imports/monitor-parts.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'

export type GatusSettings = Partial<ImportedMonitorInput>
export type Reading = Where & { conditions: readonly Condition[] }

export type Condition = { left: string; operator: string; right: string; text: string; place: string }

const operators = /==|!=|<=|>=|<|>/

/** Conditions that hold for every check that succeeds are left out. */
export function readConditions(texts: readonly (string | null)[], { place, findings }: Where): Condition[] {
  return texts.flatMap((text, index) => {
    const at = `${place}.conditions[${index}]`
    const [operator, start] = operatorOf(text)
    if (text === null || operator === null) {
      findings.lost(at, `"${shown(text ?? '')}" is no condition that can be read.`)
      return []
    }
    const left = text.slice(0, start).trim()
    const right = text.slice(start + operator.length).trim()
    const isImplied = (left === '[CONNECTED]' && right === 'true') || (left === '[DNS_RCODE]' && right === 'NOERROR')
    return isImplied && operator === '==' ? [] : [{ left, operator, right, text, place: at }]
  })
}

function operatorOf(text: string | null): [operator: string | null, start: number] {
  const found = operators.exec(text ?? '')
  return found === null || found.index === 0 ? [null, 0] : [found[0], found.index]
}

export const noCounterpart = 'This kind of monitor has no such expectation.'

export function noteLost({ text, place }: Condition, { findings }: Where, because: string): void {
  findings.lost(place, `"${shown(text)}" is not checked here. ${because}`)
}

/** A status has to be in each of these at once; null for a condition that says something else. */
export function rangesOf({ operator, right }: Condition): StatusRange[] | null {
  if (operator === '==') return listedStatuses(right)
  if (!/^\d{1,3}$/.test(right)) return null
  const status = Number(right)
  switch (operator) {
    case '<':
      return [[100, status - 1]]
    case '<=':
      return [[100, status]]
    case '>':
      return [[status + 1, 599]]
    case '>=':
      return [[status, 599]]
    case '!=':
      return [
        [100, status - 1],
        [status + 1, 599],
      ]
    default:
      return null
  }
}

function listedStatuses(right: string): StatusRange[] | null {
  const family = /^pat\(([1-5])\*\)$/.exec(right)?.[1]
  if (family !== undefined) return [[Number(family) * 100, Number(family) * 100 + 99]]
  const listed = (/^any\((.*)\)$/s.exec(right)?.[1] ?? right).split(',').map((each) => each.trim())
  if (!listed.every((each) => /^\d{3}$/.test(each))) return null
  return listed.map((each): StatusRange => [Number(each), Number(each)])
}

/** What is in both. */
export function intersected(one: readonly StatusRange[], other: readonly StatusRange[]): StatusRange[] {
  return one.slice(0, 100).flatMap(([min, max]) =>
    other.slice(0, 100).flatMap(([from, until]): StatusRange[] => {
      const both: StatusRange = [Math.max(min, from), Math.min(max, until)]
      return both[0] <= both[1] ? [both] : []
    }),
  )
}

/**
 * The limit of `[RESPONSE_TIME] < 500` in milliseconds; null, with a note, for other conditions. An answer that is too
 * slow is an outage there and degraded here.
 */
export function demandLatency(condition: Condition, reading: Where): number | null {
  const { operator, right, place } = condition
  const isLimit = operator === '<' || operator === '<='
  const limit = /^\d{1,9}$/.test(right) ? Number(right) : durationOf(right)
  if (!isLimit || limit === null) {
    noteLost(condition, reading, 'Checks only support an upper limit for the response time.')
    return null
  }
  const latencyMs = Math.min(60_000, Math.max(100, Math.round(limit)))
  const kept = latencyMs === limit ? '' : ` The limit is ${latencyMs} ms.`
  reading.findings.changed(place, `In Perigee, a slow answer means degraded; in Gatus it meant down.${kept}`)
  return latencyMs
}

const hourMs = 3_600_000

/** In whole days, of `[CERTIFICATE_EXPIRATION] > 48h`; null for other conditions. */
export function warnDaysOf({ operator, right }: Condition): number | null {
  if (operator !== '>' && operator !== '>=') return null
  const ms = durationOf(right)
  return ms === null ? null : Math.min(365, Math.max(1, Math.ceil(ms / (24 * hourMs))))
}

const plainPath = /^\[BODY\]((?:\.[\w-]+|\[\d+\])+)$/
const presence = /^has\((\[BODY\](?:\.[\w-]+|\[\d+\])+)\)$/

export type BodyExpectation =
  | { json_path: string; expected_value?: unknown }
  | { keyword: string }
  | { body_pattern: string }

/** What a condition of the body demands, in our words; null for what cannot be said so. */
export function bodyExpectation(condition: Condition, { findings }: Where): BodyExpectation | null {
  const { left, operator, right, place } = condition
  if (operator !== '==') return null
  const present = presence.exec(left)?.[1]
  if (present !== undefined) return right === 'true' ? { json_path: pathOf(present) } : null
  if (left === '[BODY]') return keywordOf(condition, findings)
  if (!plainPath.test(left) || /^(?:any|pat|len|has)\(|^\[/.test(right)) return null
  const isTyped = /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?)$/.test(right)
  if (isTyped)
    findings.changed(place, `In Perigee, the value must be ${right} itself; Gatus also accepted the text "${right}".`)
  return { json_path: pathOf(left), expected_value: isTyped ? innerJson(right) : right }
}

function keywordOf({ right, text, place }: Condition, findings: Where['findings']): BodyExpectation | null {
  const inner = /^pat\(\*([^*?]+)\*\)$/.exec(right)?.[1]
  if (inner !== undefined) return { keyword: inner }
  const wildcards = /^pat\((.+)\)$/s.exec(right)?.[1]
  if (wildcards !== undefined) return { body_pattern: patternOf(wildcards) }
  if (right === '' || /^(?:any|pat|len|has)\(|^\[/.test(right)) return null
  findings.changed(place, `"${shown(text)}": the body has to hold that text here, and to be that text there.`)
  return { keyword: right }
}

/** `*` stands for any characters, and `?` for one. */
export function patternOf(wildcards: string): string {
  const escaped = wildcards.replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
  return `^${escaped.replaceAll('*', String.raw`[\s\S]*`).replaceAll('?', String.raw`[\s\S]`)}$`
}

function pathOf(left: string): string {
  return left
    .replace('[BODY]', '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replace(/^\./, '')
}
