import { t } from '@lingui/core/macro'

/** The members of the API that one field says: the lowest and the highest code that is right, and a list of them. */
const member = /expected_status(?:_min|_max|es)$/

export function isStatusMember(name: string): boolean {
  return member.test(name)
}

/** Whether the field stands where this one of its members would. */
export function leadsStatuses(name: string): boolean {
  return name.endsWith('expected_status_min')
}

/** The name of the one field for all of them. */
export function statusFieldOf(name: string): string {
  return name.replace(member, 'expected_status')
}

/**
 * What the field says for a member; `200-` and `-399` leave the other end to its default, and only codes that are apart
 * need the list. A text that says no codes stays as it was typed, and is refused as that.
 */
export function readStatuses(name: string, typed: string): number | string | string[] | undefined {
  const text = typed.trim()
  const isLowest = leadsStatuses(name)
  const isList = name.endsWith('es')
  if (text === '') return undefined
  const [, from, to] = /^(?:([1-5]\d\d)\s*-|-\s*([1-5]\d\d))$/.exec(text) ?? []
  const open = isList ? undefined : isLowest ? from : to
  if (from !== undefined || to !== undefined) return open === undefined ? undefined : Number(open)
  const ranges = rangesOf(text) ?? []
  if (isList) return ranges.length > 1 ? ranges.map(statusText) : undefined
  if (ranges.length === 0) return isLowest ? text : undefined
  return isLowest ? ranges[0]?.min : ranges.at(-1)?.max
}

/** What is wrong with a text that says no codes. */
export function statusProblem(): string {
  return t`Must be codes and ranges between 100 and 599, such as 200, 401 or 200-399.`
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
