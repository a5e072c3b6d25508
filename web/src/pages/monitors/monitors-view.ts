import { msg, t } from '@lingui/core/macro'
import type { ShownState } from '../../api/overview.ts'
import { kindTitle } from '../monitor/kinds.ts'
import { type ChoiceField, choiceFields, wordFields } from './monitors-columns.ts'
import { type MonitorList, type MonitorRow, names } from './monitors-rows.ts'

export const sorts = [
  { value: 'state', label: msg`State first` },
  { value: 'name', label: msg`By name` },
  { value: 'uptime', label: msg`Lowest uptime` },
  { value: 'response', label: msg`Slowest response` },
] as const
export type Sort = (typeof sorts)[number]['value']

export const groupings = [
  { value: 'none', label: msg`No groups` },
  { value: 'kind', label: msg`By kind` },
  { value: 'group', label: msg`By group monitor` },
  { value: 'tag', label: msg`By tag` },
  { value: 'location', label: msg`By location` },
] as const
export type Grouping = (typeof groupings)[number]['value']

export const layouts = [
  { value: 'list', label: msg({ message: 'List', context: 'how monitors are shown' }) },
  { value: 'dense', label: msg({ message: 'Dense', context: 'how monitors are shown' }) },
  { value: 'wall', label: msg({ message: 'Wall', context: 'how monitors are shown' }) },
] as const
export type Layout = (typeof layouts)[number]['value']

/** In the order in which they want to be seen. */
export const states = ['down', 'degraded', 'pending', 'up', 'paused'] as const satisfies readonly ShownState[]

/** The view as the address says it, so that every reader of the address sees the same. */
export type View = Choices & {
  q?: string
  state?: ShownState
  sort?: Sort
  group?: Grouping
  layout?: Layout
  /** The id of the saved view that was chosen; the rest may differ from it by now. */
  saved?: string
}
type Choices = { [Field in ChoiceField]?: string }

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export function readView(search: Record<string, unknown>): View {
  const { q, saved } = search
  const state = states.find((each) => each === search['state'])
  const sort = sorts.find(({ value }) => value === search['sort'])?.value
  const group = groupings.find(({ value }) => value === search['group'])?.value
  const layout = layouts.find(({ value }) => value === search['layout'])?.value
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...readChoices(search),
    ...(state === undefined ? {} : { state }),
    ...(sort === undefined || sort === 'state' ? {} : { sort }),
    ...(group === undefined || group === 'none' ? {} : { group }),
    ...(layout === undefined || layout === 'list' ? {} : { layout }),
    ...(typeof saved === 'string' && uuid.test(saved) ? { saved } : {}),
  }
}

function readChoices(search: Record<string, unknown>): Choices {
  const choices: Choices = {}
  for (const field of choiceFields) {
    const chosen = search[field]
    if (typeof chosen === 'string' && chosen !== '') choices[field] = chosen
  }
  return choices
}

/** Whether the view leaves out monitors. */
export function isNarrowed(view: View): boolean {
  return (view.q ?? '') !== '' || view.state !== undefined || choiceFields.some((field) => view[field] !== undefined)
}

const unwell = ['down', 'degraded'] as const satisfies readonly ShownState[]
type Unwell = readonly { state: (typeof unwell)[number]; count: number }[]

/** A line of the list: a monitor, or the title above some. */
export type Line = { title: string; count: number; unwell: Unwell } | { row: MonitorRow }

/** A monitor may stand in several groups. */
export function keyOf(line: Line, index: number): string {
  return 'row' in line ? `${line.row.id} ${index}` : `${line.title} ${index}`
}

export type Shown = {
  lines: readonly Line[]
  /** In their order; a monitor of several groups counts once. */
  rows: readonly MonitorRow[]
  /** By state, for the monitors that the search and the choices leave. */
  counts: ReadonlyMap<ShownState, number>
}

/** `places`: names of locations, by code. */
export function show(list: MonitorList, view: View, places: Places = noPlaces): Shown {
  const { q = '', state, sort = 'state', group = 'none' } = view
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = list.rows.filter((row) => isChosen(row, view) && hasAll(row, words))
  const byState = Map.groupBy(found, (row) => row.state)
  const counts = new Map(states.map((each) => [each, byState.get(each)?.length ?? 0]))
  const rows = (state === undefined ? found : (byState.get(state) ?? [])).toSorted(orders[sort])
  return { lines: linesOf(rows, { list, group, places }), rows, counts }
}

function isChosen(row: MonitorRow, chosen: View): boolean {
  return choiceFields.every((field) => chosen[field] === undefined || row[field] === chosen[field])
}

function hasAll(row: MonitorRow, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = wordFields
    .flatMap((field) => row[field] ?? [])
    .join(' ')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

const rank: Readonly<Record<ShownState, number>> = { down: 0, degraded: 1, pending: 2, up: 3, paused: 4 }

/** The list comes ordered by name, and stays so where an order makes no difference. Unknown values come last. */
const orders: Readonly<Record<Sort, (one: MonitorRow, other: MonitorRow) => number>> = {
  state: (one, other) => rank[one.state] - rank[other.state],
  name: () => 0,
  uptime: (one, other) => (one.uptime ?? 101) - (other.uptime ?? 101),
  response: (one, other) => (other.ranked ?? -1) - (one.ranked ?? -1),
}

export type Places = ReadonlyMap<string, string>
const noPlaces: Places = new Map()

type Lining = { list: MonitorList; group: Grouping; places: Places }

function linesOf(rows: readonly MonitorRow[], { list, group, places }: Lining): Line[] {
  if (group === 'none') return rows.map((row) => ({ row }))
  return partsOf(rows, { list, group, places }).flatMap(({ title, of }) => {
    const lines: Line[] = of.map((row) => ({ row }))
    lines.unshift({ title, count: of.length, unwell: group === 'location' ? unwellOf(of) : [] })
    return lines
  })
}

type Part = { title: string; of: readonly MonitorRow[] }

function partsOf(
  rows: readonly MonitorRow[],
  { list, group, places }: Lining & { group: Exclude<Grouping, 'none'> },
): Part[] {
  switch (group) {
    case 'kind':
      return byKind(rows)
    case 'group':
      return byGroup(rows, list)
    case 'tag':
      return byTag(rows)
    case 'location':
      return byLocation(rows, places)
  }
}

/** A monitor stands with each of its tags. */
function byTag(rows: readonly MonitorRow[]): Part[] {
  const placed = rows.flatMap((row) => (row.tags.length === 0 ? [''] : row.tags).map((tag) => ({ tag, row })))
  const parts = [...Map.groupBy(placed, ({ tag }) => tag.toLowerCase())].map(([key, of]) => ({
    key,
    title: of[0]?.tag || t`Without a tag`,
    of: of.map(({ row }) => row),
  }))
  return namedParts(parts)
}

/** A monitor stands with each of its locations. */
function byLocation(rows: readonly MonitorRow[], places: Places): Part[] {
  const placed = rows.flatMap((row) => row.locations.map((code) => ({ code, row })))
  const parts = [...Map.groupBy(placed, ({ code }) => code)].map(([code, of]) => ({
    key: code,
    title: places.get(code) ?? code,
    of: of.map(({ row }) => row),
  }))
  return namedParts(parts)
}

/** Of those that are not well. */
function unwellOf(rows: readonly MonitorRow[]): Unwell {
  return unwell.flatMap((state) => {
    const count = rows.filter((row) => row.state === state).length
    return count === 0 ? [] : [{ state, count }]
  })
}

function byKind(rows: readonly MonitorRow[]): Part[] {
  const parts = [...Map.groupBy(rows, ({ kind }) => kind)].map(([title, of]) => ({
    title: kindTitle(title),
    of,
  }))
  return parts.toSorted((one, other) => names().compare(one.title, other.title))
}

/** A group monitor stands first among its members; a monitor stands in each of its groups. */
function byGroup(rows: readonly MonitorRow[], { rows: all, groupsOf }: MonitorList): Part[] {
  const groups = new Map(all.filter(({ kind }) => kind === 'group').map((row) => [row.id, row.name]))
  const placed = rows.flatMap((row) => {
    const of = row.kind === 'group' ? [row.id] : (groupsOf.get(row.id) ?? []).filter((id) => groups.has(id))
    return (of.length === 0 ? [''] : of).map((group) => ({ group, row }))
  })
  const parts = [...Map.groupBy(placed, ({ group }) => group)].map(([group, of]) => {
    const members = of.map(({ row }) => row)
    const isFirst = (row: MonitorRow): number => (row.id === group ? 0 : 1)
    return {
      key: group,
      title: groups.get(group) ?? t`In no group`,
      of: members.toSorted((a, b) => isFirst(a) - isFirst(b)),
    }
  })
  return namedParts(parts)
}

/** By title, and what belongs nowhere last. */
function namedParts(parts: readonly (Part & { key: string })[]): Part[] {
  return parts.toSorted(
    (one, other) => Number(one.key === '') - Number(other.key === '') || names().compare(one.title, other.title),
  )
}
