import type { Equivalent } from './equivalent.ts'

/** Changes of the engine that no test can find. */
export const equivalentsOfEngine: readonly Equivalent[] = [
  {
    file: 'src/engine/locations/presence.ts',
    line: 'let generation = 1',
    because: 'Callers compare the generation only with an earlier one.',
  },
  {
    file: 'src/engine/locations/presence.ts',
    line: 'generation += 2',
    because: 'Callers compare the generation only with an earlier one.',
  },
  {
    file: 'src/engine/locations/presence.ts',
    line: 'for (const prober of probers) if (prober.seenMs >= nowMs) putBack(prober, nowMs)',
    because: 'What is heard at this moment is put back to this moment, where it was.',
  },
  {
    file: 'src/engine/locations/presence.ts',
    line: 'let bestWeight = -2',
    because: 'A weight is never negative, so that the first one is larger in either case.',
  },
  {
    file: 'src/engine/rounds/scheduler.ts',
    line: "if (watched.heapIndex === -1 || watched.source.type !== 'probed' || watched.dueMs < atMs) return",
    because: 'What is due at that moment already is placed where it is.',
  },
  {
    file: 'src/engine/locations/presence.ts',
    line: 'if (weight >= bestWeight) {',
    because: 'Two probers weigh the same for one monitor in four billion, and either may check it.',
  },
  {
    file: 'src/engine/locations/trials.ts',
    line: "if (atOnce >= maxAtOnce || (underWay.get(workspaceId) ?? 1) >= maxOfWorkspace) return { type: 'busy' }",
    because: 'One trial is fewer than a workspace may have, too.',
  },
  {
    file: 'src/engine/partitions/leases.ts',
    line: 'const taken = missing >= 0 ? await store.takePartitions(owner, missing) : []',
    because: 'To take no partition takes none, and costs a statement.',
  },
  {
    file: 'src/engine/partitions/read-into-memory.ts',
    line: 'if (time < watched.foldedUntil) return []',
    because: 'The database gives no round that is folded already.',
  },
  {
    file: 'src/engine/rounds/watched.ts',
    line: 'foldedUntil: row.round ?? 1,',
    because: 'No round is of the first microsecond of 1970.',
  },
  {
    file: 'src/engine/rounds/watched.ts',
    line: 'dueMs: 1,',
    because: 'The scheduler sets it before anything reads it.',
  },
  {
    file: 'src/engine/rounds/watched.ts',
    line: 'usual: { ms: null, dueMs: 1 },',
    because: 'No clock shows a time before.',
  },
  {
    file: 'src/engine/rounds/usuals.ts',
    line: 'for (let first = 0; first <= due.length; first += monitorsAtOnce) {',
    because: 'Nothing is read where no monitor is left.',
  },
  {
    file: 'src/engine/results/draft-rounds.ts',
    line: 'return Math.max(source.deadline ?? 1, deadlineAfterCall(time, rhythm))',
    because: 'No call is of the first microsecond of 1970.',
  },
  {
    file: 'src/engine/rounds/parents.ts',
    line: 'const begunMs = Math.max(foldedUntil, open?.time ?? 1) / 1000',
    because: 'No round is of the first microsecond of 1970.',
  },
  {
    file: 'src/engine/rounds/round-turns.ts',
    line: 'let generation = 1',
    because: 'Before the first look no prober was asked but for rounds that were taken over, which say so themselves.',
  },
  {
    file: 'src/engine/rounds/watch-index.ts',
    line: 'if (watched.parentIds.length >= 0) dependants.set(watched.id, watched)',
    because: 'A monitor that depends on none is the child of none.',
  },
  {
    file: 'src/engine/ticks.ts',
    line: 'if (atMs > plannedMs) return',
    because: 'A timer takes the place of another one of the same moment.',
  },
]
