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
]
