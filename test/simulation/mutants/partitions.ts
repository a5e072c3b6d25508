import type { StoryMutant } from './story-mutant.ts'

/** Partitions that change hands, and the memory of what they hold. */
export const partitions: readonly StoryMutant[] = [
  {
    name: 'reads-no-backlog',
    file: 'src/engine/partitions/read-into-memory.ts',
    text: 'await foldBacklog(options, some, await store.readBacklog(some))',
    replacement: "if (origin !== 'takeover') await foldBacklog(options, some, await store.readBacklog(some))",
    defect: 'Results that were stored and not folded are passed over by a takeover.',
  },
  {
    name: 'gives-nothing-back',
    file: 'src/engine/partitions/leases.ts',
    text: 'const excess = kept.slice(share)',
    replacement: 'const excess = kept.slice(2 * share)',
    defect: 'An engine that comes gets no share of the partitions.',
  },
  {
    name: 'takes-over-once',
    file: 'src/engine/partitions/holdings.ts',
    text: `      onFailure(error)
      await time.pause(retryPauseMs)`,
    replacement: `      onFailure(error)
      return`,
    defect: 'A takeover that failed is not tried again, and its monitors are watched by no engine.',
  },
]
