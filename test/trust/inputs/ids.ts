// The ids that inputs name.
import type { Random } from './random.ts'

/** Ids by the list that has them, such as `/monitors` and `/incidents/{id}/comments`; the latter with their parents. */
export type Ids = {
  add: (list: string, parents: readonly string[], id: string) => void
  /** No input may name these, because others need them. */
  keep: (id: string) => void
  remove: (id: string) => void
  /** The ids of a path: of its list and of those within. */
  pick: (list: string, random: Random) => string[] | null
  /** One that a member such as `alert_channel_ids` may mean. */
  forMember: (name: string, random: Random) => string
  count: (list: string) => number
  all: (list: string) => string[]
}

const most = 40
const otherLists: Readonly<Record<string, readonly string[]>> = {
  '/status-posts': ['/status-pages/{id}/announcements', '/incidents/{id}/posts'],
  '/status-subscribers': ['/status-pages/{id}/subscribers'],
}
const otherNames: Readonly<Record<string, string>> = {
  contact: '/alert-channels',
  schedule: '/on-call-schedules',
  policy: '/escalation-policies',
  recipients: '/alert-channels',
  participants: '/alert-channels',
  assignee: '/members',
  depends_on: '/monitors',
  member: '/monitors',
  page: '/status-pages',
}

export function createIds(): Ids {
  const lists = new Map<string, string[][]>()
  const kept = new Set<string>()
  const of = (list: string): string[][] =>
    (otherLists[list]?.flatMap((other) => lists.get(other) ?? []) ?? lists.get(list) ?? []).map((path) =>
      list in otherLists ? path.slice(-1) : path,
    )
  const pick: Ids['pick'] = (list, random) => {
    const all = of(list).filter(([first = '', ...more]) => !kept.has(more.at(-1) ?? first))
    return all.length === 0 ? null : random.pick(all)
  }
  return {
    pick,
    add: (list, parents, id) => {
      const all = lists.get(list) ?? []
      if (all.some((path) => path.at(-1) === id)) return
      lists.set(list, [...all, [...parents, id]].slice(-most))
    },
    keep: (id) => void kept.add(id),
    remove: (id) => {
      for (const [list, all] of lists)
        lists.set(
          list,
          all.filter((path) => !path.includes(id)),
        )
    },
    forMember: (name, random) => {
      const noun = name.replace(/_ids?$/, '')
      const own = Object.entries(otherNames).find(([part]) => noun.includes(part))?.[1]
      const list = own ?? [...lists.keys()].find((each) => each.slice(1).startsWith(noun.replaceAll('_', '-')))
      return (list === undefined ? null : pick(list, random))?.at(-1) ?? '00000000-0000-4000-8000-000000000000'
    },
    count: (list) => of(list).length,
    all: (list) => of(list).map((path) => path.at(-1) ?? ''),
  }
}

/** The newest, where it does not matter which. */
export const newest: Random = {
  below: () => 0,
  chance: () => true,
  pick: (from) => {
    const last = from.at(-1)
    if (last === undefined) throw new Error('There is nothing to pick from.')
    return last
  },
}
