// Mutants that no test can find, because no caller can see the change. They do not count.
import { readFileSync } from 'node:fs'
import type { Equivalent } from './equivalent.ts'
import { equivalentsOfEngine } from './equivalents-engine.ts'
import { equivalentsOfKinds } from './equivalents-kinds.ts'
import { equivalentsOfNet } from './equivalents-net.ts'
import { equivalentsOfOutward } from './equivalents-outward.ts'
import { equivalentsOfRules } from './equivalents-rules.ts'
import { type Mutant, mutatedLine } from './mutant.ts'

export const equivalents: readonly Equivalent[] = [
  ...equivalentsOfRules,
  ...equivalentsOfKinds,
  ...equivalentsOfEngine,
  ...equivalentsOfNet,
  ...equivalentsOfOutward,
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
