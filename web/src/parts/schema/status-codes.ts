import { t } from '@lingui/core/macro'
import { listed } from '../language.ts'

/** The two members of the API that one field says: the codes that count as right, from one to the other. */
const bound = /expected_status_(min|max)$/

export function isStatusBound(name: string): boolean {
  return bound.test(name)
}

/** The name of the one field for both of them. */
export function statusFieldOf(name: string): string {
  return name.replace(bound, 'expected_status')
}

/**
 * One end of what the field says; `200-` and `-399` leave the other end to its default. A text that says no range stays
 * as it was typed, and is refused as that.
 */
export function readStatusBound(name: string, typed: string): number | string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  const [, from, to] = /^(?:([1-5]\d\d)\s*-|-\s*([1-5]\d\d))$/.exec(text) ?? []
  const open = name.endsWith('min') ? from : to
  if (from !== undefined || to !== undefined) return open === undefined ? undefined : Number(open)
  const [range, ...others] = rangesOf(text) ?? []
  const isLowest = name.endsWith('min')
  if (range === undefined || others.length > 0) return isLowest ? text : undefined
  return isLowest ? range.min : range.max
}

/** What is wrong with a text that says no range. */
export function statusProblem(text: string): string {
  const ranges = rangesOf(text)
  if (ranges === null) return t`Must be a code or a range between 100 and 599, such as 200 or 200-399.`
  const parts = listed(ranges.map(statusText))
  return t`Must be one range: between ${parts} there are codes that are not accepted.`
}

/** As it is typed; an end that is not said is left out. */
export function statusText({ min, max }: Partial<Range>): string {
  return min === max ? String(min ?? '') : `${min ?? ''}-${max ?? ''}`
}

type Range = { min: number; max: number }

/** Codes and ranges in their order, those that touch each other as one; null where a part is neither. */
function rangesOf(text: string): Range[] | null {
  const parts = text
    .replaceAll(/\s*[-–—]\s*/g, '-')
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(rangeOf)
  const ranges = parts.filter((part) => part !== null)
  if (parts.length === 0 || ranges.length < parts.length) return null
  const joined: Range[] = []
  for (const range of ranges.toSorted((one, other) => one.min - other.min)) {
    const last = joined.at(-1)
    if (last === undefined || range.min > last.max + 1) joined.push({ ...range })
    else last.max = Math.max(last.max, range.max)
  }
  return joined
}

/** `204`, `200-399` or `2xx`. */
function rangeOf(part: string): Range | null {
  const [, first, last = first] = /^(\d{3})(?:-(\d{3}))?$/.exec(part) ?? []
  const [, hundred] = /^([1-5])xx$/i.exec(part) ?? []
  if (hundred !== undefined) return { min: Number(hundred) * 100, max: Number(hundred) * 100 + 99 }
  if (first === undefined || last === undefined) return null
  const [min, max] = [Number(first), Number(last)]
  return min >= 100 && max <= 599 && min <= max ? { min, max } : null
}
