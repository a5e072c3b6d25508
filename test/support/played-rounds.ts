// Rounds of a monitor at one location, made by the test one after the other.
import assert from 'node:assert/strict'
import type { Verdict } from '#core/results/result.ts'
import { degraded, type EngineBench, failing, verdictOf } from './engine.ts'
import { until } from './until.ts'

const verdicts: Readonly<Record<string, Partial<Verdict>>> = { u: {}, g: degraded, d: failing }

/** "u" is up, "g" degraded, "d" down. */
export async function playRounds(bench: EngineBench, id: string, rounds: string): Promise<void> {
  for (const letter of rounds) await playRound(bench, id, verdicts[letter] ?? assert.fail(letter))
}

export async function playRound({ bus, database }: EngineBench, id: string, verdict: Partial<Verdict>): Promise<void> {
  const { version, round_at: foldedAt } = await database.query
    .selectFrom('monitor_state')
    .innerJoin('monitors', 'monitors.key', 'monitor_state.monitor_key')
    .select(['monitor_state.version', 'round_at'])
    .where('monitors.id', '=', id)
    .executeTakeFirstOrThrow()
  await until('the next round', async () => Date.now() > (foldedAt?.getTime() ?? 0) + 1, 1_000)
  const round = Date.now() * 1000
  await bus.publishResults('boston', [
    { monitorId: id, version, round, location: 'boston', verdict: verdictOf(verdict) },
  ])
}
