// Monitors of Uptime Kuma form a tree of groups. Here a group has monitors and no groups, so that those of inner groups
// become members of the outer ones too.
import type { Where } from '#core/imports/findings.ts'
import type { KumaMonitor } from './kuma-rows.ts'

export type KumaTree = {
  /** Monitors below one that are no groups, however deep. */
  leavesBelow: (id: number) => readonly KumaMonitor[]
  hasInnerGroups: (id: number) => boolean
  /** Pausing a group pauses what is in it. */
  isPaused: (row: KumaMonitor) => boolean
}

export function createTree(rows: readonly KumaMonitor[]): KumaTree {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const children = Map.groupBy(
    rows.filter(({ parent }) => parent !== null),
    ({ parent }) => parent,
  )
  const below = (id: number): KumaMonitor[] => {
    const found: KumaMonitor[] = []
    const seen = new Set([id])
    const open = [id]
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const child of children.get(next) ?? []) {
        if (seen.has(child.id)) continue
        seen.add(child.id)
        found.push(child)
        open.push(child.id)
      }
    return found.toSorted((one, other) => one.id - other.id)
  }
  return {
    leavesBelow: (id) => below(id).filter(({ type }) => type !== 'group'),
    hasInnerGroups: (id) => (children.get(id) ?? []).some(({ type }) => type === 'group'),
    isPaused: (row) => {
      const seen = new Set<number>()
      for (
        let at: KumaMonitor | undefined = row;
        at !== undefined;
        at = at.parent === null ? undefined : byId.get(at.parent)
      ) {
        if (!at.active) return true
        // A damaged database may have a circle.
        if (seen.has(at.id)) return false
        seen.add(at.id)
      }
      return false
    },
  }
}

const maxMembers = 100

/** Keys of the members of a group; null, with a note, where it has none. */
export function membersOf(
  group: KumaMonitor,
  { tree, keys }: { tree: KumaTree; keys: ReadonlyMap<number, string> },
  { place, findings }: Where,
): string[] | null {
  const members = tree.leavesBelow(group.id).flatMap(({ id }) => keys.get(id) ?? [])
  if (members.length === 0) {
    findings.lost(place, 'None of the monitors in this group is imported, and a group needs at least one.')
    return null
  }
  if (tree.hasInnerGroups(group.id))
    findings.changed(
      place,
      'In Perigee, a group contains no groups. The monitors of its inner groups become members of this one too.',
    )
  if (members.length > maxMembers)
    findings.lost(place, `A group holds ${maxMembers} of its ${members.length} monitors.`)
  return members.slice(0, maxMembers)
}
