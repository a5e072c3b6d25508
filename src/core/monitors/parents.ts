// Which monitors depend on which: a monitor names its parents.

/** Parents that a monitor names, at most. */
export const maxParents = 10
/** How far up a line of parents is followed. */
export const maxParentLevels = 10

export type ParentLink = { id: string; name: string; parentIds: readonly string[] }

/**
 * The names along a circle that `monitor` would be in with these parents, from itself to itself, or null. `links` are
 * the other monitors of its workspace that name parents.
 */
export function circleThrough(monitor: ParentLink, links: readonly ParentLink[]): string[] | null {
  const known = new Map(links.map((link) => [link.id, link]))
  const seen = new Set<string>()
  let paths: { id: string; names: string[] }[] = monitor.parentIds.map((id) => ({ id, names: [monitor.name] }))
  while (paths.length > 0) {
    const further: typeof paths = []
    for (const { id, names } of paths) {
      if (id === monitor.id) return [...names, monitor.name]
      const link = known.get(id)
      if (link === undefined || seen.has(id)) continue
      seen.add(id)
      for (const parentId of link.parentIds) further.push({ id: parentId, names: [...names, link.name] })
    }
    paths = further
  }
  return null
}
