import type { StoryMutant } from './story-mutant.ts'

/**
 * Rules that the product has in SQL. The model has the same ones, which `model.test.ts` compares; the defects are planted
 * in the model.
 */
export const sqlRules: readonly StoryMutant[] = [
  {
    name: 'counts-a-result-twice',
    file: 'test/simulation/model-engine-transaction.ts',
    text: 'if (!fresh.has(key) && database.results.get(result.monitorKey)?.has(key) !== true) fresh.set(key, result)',
    replacement: 'if (!fresh.has(key)) fresh.set(key, result)',
    defect: 'A result that comes again counts again in the sums of its day.',
  },
  {
    name: 'counts-failures-in-times',
    file: 'test/simulation/model-engine-transaction.ts',
    text: "up: counted.up + Number(verdict.status === 'up'),",
    replacement: "up: counted.up + Number(verdict.status !== 'degraded'),",
    defect: 'The sums of days count failures as answers.',
  },
  {
    name: 'hangs-while-it-is-stored',
    file: 'test/simulation/model-calls.ts',
    text: 'const until = Math.min(nowMs() * 1000, settledUntil(database))',
    replacement: 'const until = nowMs() * 1000',
    defect: 'A run counts as one that hangs while the call that ends it is being stored.',
  },
  {
    name: 'lets-two-attempt',
    file: 'test/simulation/model-alerts.ts',
    text: 'return claimedMs !== null && claimedMs >= nowMs() - claimMs',
    replacement: 'return claimedMs !== null && claimedMs >= nowMs() + claimMs',
    defect: 'Two workers attempt the same delivery.',
  },
  {
    name: 'overtakes',
    file: 'test/simulation/model-alerts.ts',
    text: "return earlier?.state === 'pending' && (earlier.dueMs <= nowMs() || isEnding(delivery))",
    replacement: "return earlier?.state === 'pending' && earlier.dueMs <= nowMs() && !isEnding(delivery)",
    defect: 'The end of an outage is told before its beginning, where that is still being tried.',
  },
  {
    name: 'reaches-back',
    file: 'test/simulation/model-engine-transaction.ts',
    text: 'round: Math.max(before?.round ?? round, round),',
    replacement: 'round: Math.min(before?.round ?? round, round),',
    defect: 'The database forgets up to where rounds were folded.',
  },
]
