import { countMembers, groupVerdict } from '#core/monitors/group.ts'
import { missedVerdict } from '#core/monitors/heartbeat.ts'
import type { Result, Verdict } from '#core/results/result.ts'
import type { EngineStore } from '#store/engine-store.ts'
import { rhythmOf, type Watched } from '#engine/rounds/watched.ts'

/** Monitors whose result the engine makes, with the time in milliseconds for which it is due. */
export type SelfMadeDue = ReadonlyMap<Watched, number>

export type SelfMadeResults = {
  results: Result[]
  /** Their deadline was put off meanwhile (`source.deadline` has the new one): nothing was missed yet. */
  putOff: Watched[]
  /** To be looked at again: a process may have such a call in hand, or may have turned it away. */
  held: Map<Watched, number>
}

/** Makes the results of passed deadlines and due groups, and writes nothing. */
export async function makeSelfMadeResults(
  store: Pick<EngineStore, 'readMembers' | 'readDeadlines'>,
  due: SelfMadeDue,
): Promise<SelfMadeResults> {
  const results = [...due].map(([watched, dueMs]) => ({ watched, round: Math.round(dueMs * 1000) }))
  const called = results.filter(({ watched }) => watched.source.type === 'called')
  const groups = results.filter(({ watched }) => watched.source.type === 'group')
  const members = groups.length === 0 ? new Map() : await store.readMembers(groups.map(keyOf))
  const added = groups.flatMap(({ watched, round }) => {
    const found = members.get(watched.key)
    const verdict = found === undefined ? null : groupVerdict(countMembers(found.statuses), found.policy)
    return verdict === null ? [] : [resultOf({ watched, round }, verdict)]
  })
  const { missed, putOff, held } = await lookAtDeadlines(store, called)
  return { results: [...missed.map(missedResult), ...added], putOff, held }
}

async function lookAtDeadlines(
  store: Pick<EngineStore, 'readDeadlines'>,
  called: DueResult[],
): Promise<{ missed: DueResult[]; putOff: Watched[]; held: Map<Watched, number> }> {
  if (called.length === 0) return { missed: [], putOff: [], held: new Map() }
  const { deadlines, callsSettledUntil } = await store.readDeadlines(called.map(keyOf))
  const putOff = called.filter((each) => hasMoved(each, deadlines)).map(({ watched }) => watched)
  const passed = called.filter(({ watched }) => !putOff.includes(watched))
  const missed = passed.filter(({ round }) => round <= callsSettledUntil)
  const held = passed.filter(({ round }) => round > callsSettledUntil)
  return { missed, putOff, held: new Map(held.map(({ watched, round }) => [watched, round / 1000])) }
}

type DueResult = { watched: Watched; round: number }

function keyOf({ watched }: DueResult): number {
  return watched.key
}

/** Whether a call was stored meanwhile, or the deadline put off in the database. Memory gets the new deadline. */
function hasMoved({ watched, round }: DueResult, deadlines: ReadonlyMap<number, number | null>): boolean {
  const { source } = watched
  const deadline = deadlines.get(watched.key) ?? null
  if (source.type !== 'called' || (deadline !== null && deadline <= round)) return false
  watched.source = { ...source, deadline }
  return true
}

function missedResult(due: DueResult): Result {
  const rhythm = rhythmOf(due.watched)
  if (rhythm === null) throw new Error('Only calls are missed.')
  return resultOf(due, missedVerdict(rhythm))
}

function resultOf({ watched, round }: DueResult, verdict: Verdict): Result {
  return { monitorId: watched.id, version: watched.version, round, location: watched.locations[0] ?? '', verdict }
}
