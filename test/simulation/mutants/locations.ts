import type { StoryMutant } from './story-mutant.ts'

/** Probers: which are there, and how they check. */
export const locations: readonly StoryMutant[] = [
  {
    name: 'waits-for-ever',
    file: 'src/prober/attentive.ts',
    text: 'this.#cancel = this.#expireAfter(attention.deadlineMs)',
    replacement: 'this.#cancel = () => {}',
    defect: 'A check has no deadline: a target that says nothing is never found to be down.',
  },
  {
    name: 'checks-an-old-target',
    file: 'src/prober/configuration-cache.ts',
    text: 'if (found === undefined || found.configuration.version < version) return null',
    replacement: 'if (found === undefined) return null',
    defect: 'A prober goes on with the configuration that a monitor had when it was checked first.',
  },
  {
    name: 'reports-for-another-round',
    file: 'src/bus/codec.ts',
    text: 'const assignment: Assignment = { monitorId, version, round }\n',
    replacement: 'const assignment: Assignment = { monitorId, version, round: Math.floor(round / 1000) * 1000 }\n',
    defect: 'The name of a round loses its microseconds on the way to the prober.',
  },
  {
    name: 'tells-failures-late',
    file: 'src/prober/prober.ts',
    text: 'const result: Result = { monitorId, version: configuration.version, round, location, verdict: told }',
    replacement:
      "const result: Result = { monitorId, version: configuration.version, round: told?.status === 'down' ? round - 60_000_000 : round, location, verdict: told }",
    defect: 'A failure is told of the round before.',
  },
]
