import { t } from '@lingui/core/macro'
import type { Dragged, Dragging } from './page-drag.tsx'
import { type Group, type Place, type Spot, placeGroup, placeMonitor, placeOf } from './page-groups.ts'

export function dropped(groups: readonly Group[], dragged: Dragged, spot: Spot): Group[] {
  return 'group' in dragged
    ? placeGroup(groups, dragged.group, spot.group)
    : placeMonitor(groups, dragged.monitorId, spot)
}

/** Says where it is now. */
export function toldOf(groups: readonly Group[], dragged: Dragged, before: readonly Group[]): string {
  if ('group' in dragged) return groupText(groups, dragged.group, before)
  const place = placeOf(groups, dragged.monitorId)
  const group = place === null ? undefined : groups[place.group]
  if (place === null || group === undefined) return ''
  return placeText(group.monitors[place.index]?.monitorName ?? '', { ...place, into: group.name })
}

export function titleOf({ name }: Group, index: number): string {
  const number = index + 1
  return name === '' ? t`Group ${number}` : name
}

/** By the title that the group had `before`: one without a heading is called by its place. */
export function groupText(groups: readonly Group[], key: number, before: readonly Group[]): string {
  const placeIn = (all: readonly Group[]): number => all.findIndex((group) => group.key === key)
  const group = before[placeIn(before)]
  if (group === undefined) return ''
  const [title, position, count] = [titleOf(group, placeIn(before)), placeIn(groups) + 1, groups.length]
  return t`${title} is ${position} of ${count} groups.`
}

/** Where something would come to stand: a line above it, or below the last. */
const dropAbove = 'shadow-[0_-3px_0_var(--accent)]'
const dropBelow = 'shadow-[0_3px_0_var(--accent)]'

/** Says where a monitor stands now. */
export function placeText(monitor: string, { group, index, of: count, into }: Place & { into: string }): string {
  const [position, number] = [index + 1, group + 1]
  return into === ''
    ? t`${monitor} is ${position} of ${count} in group ${number}.`
    : t`${monitor} is ${position} of ${count} in ${into}.`
}

export function groupMark({ dragged, spot }: Dragging, groups: readonly Group[], index: number): string {
  const [group] = groups.slice(index)
  if (dragged === null || spot === null || group === undefined) return ''
  if ('monitorId' in dragged) return group.monitors.length === 0 && spot.group === index ? 'bg-accent-soft' : ''
  if (dragged.group === group.key) return 'opacity-50'
  if (spot.group === index) return dropAbove
  return index === groups.length - 1 && spot.group > index ? dropBelow : ''
}

export function rowMark({ dragged, spot }: Dragging, { group, index, of: count }: Place): string {
  if (dragged === null || spot === null || 'group' in dragged || spot.group !== group) return ''
  if (spot.index === index) return dropAbove
  return index === count - 1 && spot.index > index ? dropBelow : ''
}
