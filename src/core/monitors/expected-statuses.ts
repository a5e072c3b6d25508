// Which HTTP statuses are right: from a least one to a greatest one, or where a list is given those on the list alone.
import { z } from 'zod'

export type StatusRange = [min: number, max: number]

const bound = '[1-5][0-9]{2}'
const written = new RegExp(`^${bound}(?:-${bound})?$`)
export const maxStatusRanges = 20

/** A status such as `401`, or a range with both its ends such as `200-299`. */
const statusRange = z
  .string()
  .regex(written, 'Must be a status such as 401 or a range such as 200-299, within 100 to 599.')
  .refine((text) => !written.test(text) || isInOrder(text), 'Must begin with the lower status.')

/** The statuses that are right, as callers write them. */
export const statusList = z.array(statusRange).min(1).max(maxStatusRanges)

/** Texts that `statusList` accepts. */
export function rangesOf(texts: readonly string[]): StatusRange[] {
  return texts.map((text) => {
    const [min = text, max = min] = text.split('-')
    return [Number(min), Number(max)]
  })
}

/** As `statusList` reads it. */
export function writeRange([min, max]: StatusRange): string {
  return min === max ? String(min) : `${min}-${max}`
}

function isInOrder(text: string): boolean {
  return rangesOf([text]).every(([min, max]) => min <= max)
}

/** The statuses that a check accepts. Without a list, each status from the least to the greatest is right. */
export type ExpectedStatuses = {
  expectedStatusMin: number
  expectedStatusMax: number
  expectedStatuses?: StatusRange[] | undefined
}

export function isExpectedStatus(status: number, expected: ExpectedStatuses): boolean {
  const { expectedStatusMin: min, expectedStatusMax: max, expectedStatuses: ranges } = expected
  if (ranges === undefined) return status >= min && status <= max
  return ranges.some(([from, until]) => status >= from && status <= until)
}

/** `200 to 299, 401`. */
export function expectedStatusesText(expected: ExpectedStatuses): string {
  const { expectedStatusMin, expectedStatusMax, expectedStatuses: ranges } = expected
  return (ranges ?? [[expectedStatusMin, expectedStatusMax]])
    .map(([min, max]) => (min === max ? `${min}` : `${min} to ${max}`))
    .join(', ')
}

export type StatusSettings = {
  expected_status_min: number
  expected_status_max: number
  expected_statuses: string[] | null
}

/** The settings as a check is told of them. */
export function statusesToCheck(settings: StatusSettings): ExpectedStatuses {
  const { expected_status_min: min, expected_status_max: max, expected_statuses: list } = settings
  return {
    expectedStatusMin: min,
    expectedStatusMax: max,
    ...(list === null ? {} : { expectedStatuses: rangesOf(list) }),
  }
}

/** Settings by which any status within one of the ranges is right. There is at least one range. */
export function statusesWithin(ranges: readonly StatusRange[]): StatusBounds & { expected_statuses?: string[] } {
  const joined = joinRanges(ranges)
  const bounds = boundsOf(joined)
  return joined.length === 1 ? bounds : { ...bounds, expected_statuses: joined.map(writeRange) }
}

/** In their order, those that touch each other as one. */
function joinRanges(ranges: readonly StatusRange[]): StatusRange[] {
  const joined: StatusRange[] = []
  for (const [min, max] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last === undefined || min > last[1] + 1) joined.push([min, max])
    else last[1] = Math.max(last[1], max)
  }
  return joined
}

export type StatusInput = { [Field in keyof StatusSettings]?: StatusSettings[Field] | undefined }

/** The statuses that a new monitor accepts whose input names none. */
export const usualStatuses: StatusSettings = {
  expected_status_min: 200,
  expected_status_max: 399,
  expected_statuses: null,
}

/**
 * The bounds are those of the list. A change of a bound that does not name the list ends it; of a list and bounds that
 * are sent together, those that are not as they were count, so that a client may send back what it read with one of
 * them changed. `current` is null for a new monitor.
 */
export function decideStatuses(input: StatusInput, current: StatusSettings | null): StatusSettings {
  const held = current ?? usualStatuses
  const list = input.expected_statuses
  const changesBounds = hasNewBounds(input, held)
  const isHeldList = list === undefined || (current !== null && isSameList(list, held.expected_statuses))
  const wanted = isHeldList && changesBounds ? null : list === undefined ? held.expected_statuses : list
  if (wanted !== null) return { ...boundsOf(rangesOf(wanted)), expected_statuses: wanted }
  return {
    expected_status_min: input.expected_status_min ?? held.expected_status_min,
    expected_status_max: input.expected_status_max ?? held.expected_status_max,
    expected_statuses: null,
  }
}

/** Null where the list and the bounds of an input agree, or only one of them says something new. */
export function statusesProblem(
  input: StatusInput,
  current: StatusSettings | null,
): { field: BoundName; problem: string } | null {
  const list = input.expected_statuses
  if (list === undefined || list === null || isSameList(list, current?.expected_statuses ?? null)) return null
  const bounds = boundsOf(rangesOf(list))
  const wrong = boundNames.find(
    (name) => input[name] !== undefined && input[name] !== current?.[name] && input[name] !== bounds[name],
  )
  if (wrong === undefined) return null
  return { field: wrong, problem: `Must be ${bounds[wrong]}, as in expected_statuses, or left out.` }
}

const boundNames = ['expected_status_min', 'expected_status_max'] as const
type BoundName = (typeof boundNames)[number]
type StatusBounds = Pick<StatusSettings, BoundName>

function hasNewBounds(input: StatusInput, held: StatusSettings): boolean {
  return boundNames.some((name) => input[name] !== undefined && input[name] !== held[name])
}

function boundsOf(ranges: readonly StatusRange[]): StatusBounds {
  return {
    expected_status_min: Math.min(...ranges.map(([min]) => min)),
    expected_status_max: Math.max(...ranges.map(([, max]) => max)),
  }
}

function isSameList(list: readonly string[] | null, other: readonly string[] | null): boolean {
  if (list === null || other === null) return list === other
  return list.length === other.length && list.every((text, at) => text === other[at])
}
