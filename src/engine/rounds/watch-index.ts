import type { Watched } from './watched.ts'

/** The watched monitors by id, key, partition, for groups by member, and by what they depend on. */
export type WatchIndex = {
  readonly size: number
  all: () => Iterable<Watched>
  byId: (id: string) => Watched | undefined
  byKey: (key: number) => Watched | undefined
  ofPartition: (partition: number) => ReadonlySet<Watched>
  /** Groups that have this member. */
  groupsOf: (memberId: string) => Watched[]
  /** Monitors that depend on this one. */
  childrenOf: (parentId: string) => Watched[]
  add: (watched: Watched) => void
  /** To be told after a monitor became a group, or another kind than one, or depends on others. */
  regroup: (watched: Watched) => void
  remove: (watched: Watched) => void
}

export function createWatchIndex(): WatchIndex {
  const ids = new Map<string, Watched>()
  const keys = new Map<number, Watched>()
  const partitions = new Map<number, Set<Watched>>()
  const groups = new Map<string, Watched>()
  const dependants = new Map<string, Watched>()

  function membersOf(partition: number): Set<Watched> {
    const members = partitions.get(partition) ?? new Set()
    partitions.set(partition, members)
    return members
  }

  function regroup(watched: Watched): void {
    if (watched.source.type === 'group') groups.set(watched.id, watched)
    else groups.delete(watched.id)
    if (watched.parentIds.length > 0) dependants.set(watched.id, watched)
    else dependants.delete(watched.id)
  }

  return {
    get size() {
      return ids.size
    },
    all: () => ids.values(),
    byId: (id) => ids.get(id),
    byKey: (key) => keys.get(key),
    ofPartition: membersOf,
    childrenOf: (parentId) => [...dependants.values()].filter(({ parentIds }) => parentIds.includes(parentId)),
    groupsOf: (memberId) => [...groups.values()].filter((group) => hasMember(group, memberId)),
    add: (watched) => {
      ids.set(watched.id, watched)
      keys.set(watched.key, watched)
      membersOf(watched.partition).add(watched)
      regroup(watched)
    },
    regroup,
    remove: (watched) => {
      ids.delete(watched.id)
      groups.delete(watched.id)
      dependants.delete(watched.id)
      keys.delete(watched.key)
      partitions.get(watched.partition)?.delete(watched)
    },
  }
}

function hasMember({ source }: Watched, memberId: string): boolean {
  return source.type === 'group' && source.memberIds.includes(memberId)
}
