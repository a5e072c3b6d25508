import { countMembers, groupVerdict } from '#core/group.ts'
import { missedVerdict } from '#core/heartbeat.ts'
import type { Result, Verdict } from '#core/result.ts'
import type { Database } from '#store/database.ts'
import { readDeadlines, readMembers } from '#store/watch.ts'
import type { Watched } from './watched.ts'

/** Monitors whose result nobody sends, with the time in milliseconds for which it is due. */
export type OwnDue = ReadonlyMap<Watched, number>

export type OwnResults = {
  results: Result[]
  /** Their deadline is another one by now (`source.deadline` has it): nothing was missed yet. */
  putOff: Watched[]
}

/** What passed deadlines and due groups come to. Nothing is written here. */
export async function makeOwnResults(database: Database, due: OwnDue): Promise<OwnResults> {
  const own = [...due].map(([watched, dueMs]) => ({ watched, round: dueMs * 1000 }))
  const called = own.filter(({ watched }) => watched.source.type === 'called')
  const groups = own.filter(({ watched }) => watched.source.type === 'group')
  const deadlines = called.length === 0 ? new Map() : await readDeadlines(database, called.map(keyOf))
  const putOff = called.filter(({ watched }) => hasMoved(watched, deadlines)).map(({ watched }) => watched)
  const missed = called.filter(({ watched }) => !putOff.includes(watched)).map(missedResult)
  const members = groups.length === 0 ? new Map() : await readMembers(database, groups.map(keyOf))
  const added = groups.flatMap(({ watched, round }) => {
    const found = members.get(watched.key)
    const verdict = found === undefined ? null : groupVerdict(countMembers(found.statuses), found.policy)
    return verdict === null ? [] : [resultOf({ watched, round }, verdict)]
  })
  return { results: [...missed, ...added], putOff }
}

type Own = { watched: Watched; round: number }

function keyOf({ watched }: Own): number {
  return watched.key
}

/** While no process takes calls, deadlines are put off in the database. */
function hasMoved(watched: Watched, deadlines: ReadonlyMap<number, number | null>): boolean {
  const { source } = watched
  const deadline = deadlines.get(watched.key) ?? null
  if (source.type !== 'called' || source.deadline === deadline) return false
  watched.source = { ...source, deadline }
  return true
}

function missedResult(own: Own): Result {
  const { source, intervalMs } = own.watched
  const graceSeconds = source.type === 'called' ? source.graceSeconds : 0
  return resultOf(own, missedVerdict(intervalMs / 1000 + graceSeconds))
}

function resultOf({ watched, round }: Own, verdict: Verdict): Result {
  return { monitorId: watched.id, version: watched.version, round, location: watched.locations[0] ?? '', verdict }
}
