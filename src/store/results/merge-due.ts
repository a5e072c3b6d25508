import assert from 'node:assert/strict'
import type { PoolClient } from 'pg'
import { decideSpan, type MergeFacts, type MergeSpan, nextLook } from '#core/results/merge-spans.ts'
import { latencyBounds } from '#core/results/latency-histogram.ts'
import { dayOf } from '#core/language/utc-day.ts'
import { numberArray } from '#store/database/array-literal.ts'
import { boundedTransaction } from '#store/database/bounded-transaction.ts'
import type { Database } from '#store/database/database.ts'
import { lockDayForms } from './day-forms.ts'
import { mergeInPlace } from './merge-statements.ts'
import { summedUpUntil } from './signed-hours.ts'
import { claimTurns, dateOf, endTurns, readFacts } from './merge-turns.ts'
import { partitionName } from './result-partitions.ts'

/** Monitors of one transaction: a deletion of one of them waits for it, and it for nothing. */
const monitorsAtOnce = 50
const limits = { lockTimeoutMs: 1_000, statementTimeoutMs: 30_000 }
const minuteUs = 60_000_000

/** How many monitors had their turn, how many rows were read, and how many of these became part of other rows. */
export type MergeStep = { monitors: number; read: number; removed: number }

/**
 * One step of merging in place: some monitors whose turn it is, by quarter-hours, in days that were rewritten by hours.
 * All of it is one transaction, under a lock of each monitor's row in `result_merges` that no two have: what is merged
 * is counted in `latency_days` once, and `merged_until` moves with it, wherever a process is killed.
 */
export async function mergeDueResults(database: Database, now: Date): Promise<MergeStep> {
  const nowUs = now.getTime() * 1000
  return boundedTransaction(database, limits, async ({ client }) => {
    const claimed = await claimTurns(client, { now, limit: monitorsAtOnce })
    const facts = await readFacts(client, claimed, nowUs)
    const buckets = await lockDayForms(client, daysOf(facts))
    const times = { nowUs, summedUpUntil: await summedUpUntil(client) }
    const turns = facts.map((fact) => turnOf(fact, { buckets, ...times }))
    const step = { monitors: claimed.length, read: 0, removed: 0 }
    const merges = turns.flatMap(({ merge }) => (merge === null ? [] : [merge]))
    for (const ofDay of Map.groupBy(merges, ({ day }) => day).values()) {
      const done = await mergeSpans(client, ofDay)
      step.read += done.read
      step.removed += done.removed
    }
    await endTurns(
      client,
      turns.map(({ key, merge, dueAt }) => ({ key, until: merge?.span.until ?? null, dueAt })),
    )
    return step
  })
}

type Merge = { key: number; day: string; bucketUs: number; span: MergeSpan }
type Turn = { key: number; merge: Merge | null; dueAt: number }

function daysOf(facts: readonly MergeFacts[]): string[] {
  return [...new Set(facts.flatMap(({ first }) => (first === null ? [] : [dayOf(dateOf(first))])))].toSorted()
}

/** A day that is being rewritten is left alone; its monitors have their turn a minute later. */
function turnOf(
  { key, ...facts }: MergeFacts & { key: number },
  {
    buckets,
    nowUs,
    summedUpUntil: until,
  }: { buckets: Map<string, number | null>; nowUs: number; summedUpUntil: number },
): Turn {
  const nothing = { key, merge: null, dueAt: nextLook({ key, span: null }, nowUs) }
  if (facts.first === null) return nothing
  const day = dayOf(dateOf(facts.first))
  const bucketUs = buckets.get(day) ?? null
  if (bucketUs === null) return { key, merge: null, dueAt: nowUs + minuteUs }
  const span = decideSpan(facts, { nowUs, bucketUs, summedUpUntil: until })
  if (span === null) return nothing
  return { key, merge: { key, day, bucketUs, span }, dueAt: nextLook({ key, span }, nowUs) }
}

/** All of one day. */
async function mergeSpans(client: PoolClient, merges: readonly Merge[]): Promise<{ read: number; removed: number }> {
  const [one] = merges
  assert.ok(one)
  const merged = await client.query<{ read: number; removed: number; checksBefore: number; checksAfter: number }>(
    mergeInPlace(partitionName(one.day)),
    [
      numberArray(merges.map(({ key }) => key)),
      numberArray(merges.map(({ span }) => span.start)),
      numberArray(merges.map(({ span }) => span.from)),
      numberArray(merges.map(({ span }) => span.until)),
      one.bucketUs / 1_000_000,
      numberArray(latencyBounds),
      one.day,
    ],
  )
  const [done] = merged.rows
  assert.ok(done)
  assert.equal(done.checksAfter, done.checksBefore, `Merging would have lost results of ${one.day}.`)
  return done
}
