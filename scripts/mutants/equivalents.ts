// Mutants that no test can find, because no caller can see the change. They do not count.
import { readFileSync } from 'node:fs'
import { type Mutant, mutatedLine } from './mutant.ts'

export interface Equivalent {
  /** From the root. */
  file: string
  /** The whole line, as the mutant leaves it. */
  line: string
  /** Why no change can be seen. */
  because: string
}

export const equivalents: readonly Equivalent[] = [
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
    file: 'src/net/dial/pace.ts',
    line: 'if (this.#socket.readableLength >= 0) this.#socket.read()',
    because: 'A socket in which nothing has gathered gives nothing when it is read.',
  },
]

interface List {
  entries: readonly Equivalent[]
  /** The source of a file. */
  read: (file: string) => string
}

/** The mutants that count, and the entries that name no mutant any more. */
export function withoutEquivalents(
  mutants: readonly Mutant[],
  { entries, read }: List = { entries: equivalents, read: (file) => readFileSync(file, 'utf8') },
): { counted: Mutant[]; stale: Equivalent[] } {
  const files = new Set(entries.map(({ file }) => file))
  const sources = new Map([...files].map((file) => [file, read(file)]))
  const used = new Set<Equivalent>()
  const counted = mutants.filter((mutant) => {
    const source = sources.get(mutant.file)
    if (source === undefined) return true
    const line = mutatedLine(source, mutant)
    const named = entries.find((entry) => entry.file === mutant.file && entry.line === line)
    if (named !== undefined) used.add(named)
    return named === undefined
  })
  return { counted, stale: entries.filter((entry) => !used.has(entry)) }
}
