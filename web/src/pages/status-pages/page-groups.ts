import { isCount, isText, listOf, recordOf } from '../../parts/drafts/draft-shape.ts'
import type { StatusPageForm, StatusPageRecord } from '../../api/status-pages.ts'

/** A monitor on a page; `shownName` "" for its own name. */
export type Placed = { monitorId: string; monitorName: string; shownName: string }
/** `key` stays with a group while it moves and is renamed. */
export type Group = { key: number; name: string; monitors: readonly Placed[] }

const isPlaced = recordOf<Placed>({ monitorId: isText, monitorName: isText, shownName: isText })
const areListed = listOf(recordOf<Group>({ key: isCount, name: isText, monitors: listOf(isPlaced) }))

/** Whether these are groups that a form once held. A monitor stands on a page once. */
export function areGroups(value: unknown): value is Group[] {
  if (!areListed(value)) return false
  const ids = value.flatMap(({ monitors }) => monitors.map(({ monitorId }) => monitorId))
  return isEachOnce(ids) && isEachOnce(value.map(({ key }) => key))
}

function isEachOnce(all: readonly unknown[]): boolean {
  return new Set(all).size === all.length
}

export type Direction = 'up' | 'down'

export function groupsOf(sections: StatusPageRecord['sections']): Group[] {
  return sections.map(({ name, monitors }, key) => ({
    key,
    name,
    monitors: monitors.map((placed) => ({
      monitorId: placed.monitor_id,
      monitorName: placed.monitor_name,
      shownName: placed.name ?? '',
    })),
  }))
}

export function sectionsOf(groups: readonly Group[]): StatusPageForm['sections'] {
  return groups.map(({ name, monitors }) => ({
    name,
    monitors: monitors.map(({ monitorId, shownName }) => ({
      monitor_id: monitorId,
      name: shownName.trim() === '' ? null : shownName,
    })),
  }))
}

export function withGroup(groups: readonly Group[]): Group[] {
  return [...groups, { key: Math.max(-1, ...groups.map(({ key }) => key)) + 1, name: '', monitors: [] }]
}

export function changeGroup(groups: readonly Group[], key: number, change: Partial<Omit<Group, 'key'>>): Group[] {
  return groups.map((group) => (group.key === key ? { ...group, ...change } : group))
}

export function moveGroup(groups: readonly Group[], key: number, direction: Direction): Group[] {
  const index = groups.findIndex((group) => group.key === key)
  return swapped(groups, index, index + stepOf(direction))
}

/** The place of a monitor, counted from 0. */
export type Place = { group: number; index: number; of: number }

export function placeOf(groups: readonly Group[], monitorId: string): Place | null {
  for (const [group, { monitors }] of groups.entries()) {
    const index = monitors.findIndex((placed) => placed.monitorId === monitorId)
    if (index >= 0) return { group, index, of: monitors.length }
  }
  return null
}

/** One step; from the end of its group into the next one, from its beginning into the one before. */
export function moveMonitor(groups: readonly Group[], monitorId: string, direction: Direction): Group[] {
  const place = placeOf(groups, monitorId)
  const from = place === null ? undefined : groups[place.group]
  if (place === null || from === undefined) return [...groups]
  const to = place.index + stepOf(direction)
  if (to >= 0 && to < from.monitors.length)
    return changeGroup(groups, from.key, { monitors: swapped(from.monitors, place.index, to) })
  const target = groups[place.group + stepOf(direction)]
  const moved = from.monitors[place.index]
  if (target === undefined || moved === undefined) return [...groups]
  const monitors = direction === 'up' ? [...target.monitors, moved] : [moved, ...target.monitors]
  return changeGroup(removeMonitor(groups, monitorId), target.key, { monitors })
}

/** A place between others, before anything is taken out; `group` is the place of a group in their order. */
export type Spot = { group: number; index: number }

export function placeMonitor(groups: readonly Group[], monitorId: string, { group, index }: Spot): Group[] {
  const place = placeOf(groups, monitorId)
  const placed = place === null ? undefined : groups[place.group]?.monitors[place.index]
  const without = removeMonitor(groups, monitorId)
  const target = without[group]
  if (place === null || placed === undefined || target === undefined) return [...groups]
  const at = place.group === group && place.index < index ? index - 1 : index
  return changeGroup(without, target.key, { monitors: target.monitors.toSpliced(at, 0, placed) })
}

export function placeGroup(groups: readonly Group[], key: number, index: number): Group[] {
  const from = groups.findIndex((group) => group.key === key)
  const group = groups[from]
  if (group === undefined) return [...groups]
  return groups.toSpliced(from, 1).toSpliced(from < index ? index - 1 : index, 0, group)
}

export function removeMonitor(groups: readonly Group[], monitorId: string): Group[] {
  return groups.map((group) => ({
    ...group,
    monitors: group.monitors.filter((placed) => placed.monitorId !== monitorId),
  }))
}

export function renameMonitor(groups: readonly Group[], monitorId: string, shownName: string): Group[] {
  return groups.map((group) => ({
    ...group,
    monitors: group.monitors.map((placed) => (placed.monitorId === monitorId ? { ...placed, shownName } : placed)),
  }))
}

function stepOf(direction: Direction): number {
  return direction === 'up' ? -1 : 1
}

function swapped<T>(all: readonly T[], index: number, other: number): T[] {
  const [one, two] = [all[index], all[other]]
  if (one === undefined || two === undefined) return [...all]
  return all.map((each, at) => (at === index ? two : at === other ? one : each))
}
