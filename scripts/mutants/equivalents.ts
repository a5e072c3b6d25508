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
    file: 'src/core/language/redact.ts',
    line: 'return whole.slice(Math.ceil((offset * 9) / 6), Math.floor(((offset + bytes.length) * 8) / 6))',
    because: 'The offset is 0, 1 or 2, for which both round up to the same.',
  },
  {
    file: 'src/core/language/redact.ts',
    line: 'return whole.slice(Math.ceil((offset * 8) / 7), Math.floor(((offset + bytes.length) * 8) / 6))',
    because: 'The offset is 0, 1 or 2, for which both round up to the same.',
  },
  {
    file: 'src/core/language/redact.ts',
    line: 'while (start >= from && isEncoded(text.charCodeAt(start - 1))) start -= 1',
    because: 'What is hidden already ends before a character that base64 does not have, or with a sign of its end.',
  },
  {
    file: 'src/core/results/latency-day.ts',
    line: 'return values.reduce((total, value) => total - value, 0)',
    because: 'A mean is a sum divided by a sum, so that both signs cancel each other out.',
  },
  {
    file: 'src/core/results/latency-histogram.ts',
    line: 'if (one === undefined && all.length === 1) return one',
    because: 'A histogram that is merged with nothing is what it was; to return it only saves the work.',
  },
  {
    file: 'src/core/results/latency-histogram.ts',
    line: 'for (let lowest = 1; lowest < max; lowest = lastFrom(lowest) + 1) bounds.push(lowest)',
    because: 'No bound is the very maximum.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'for (const ahead of [2, days]) {',
    because: 'How far the first look goes only decides how soon an end is seen.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'return contactId === null ? new Date(8640000000000001) : reached',
    because: 'A time that no clock shows is as little before the end of the span as the last one that a clock shows.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'for (let above = upper[next]; above !== undefined && above.startsAt <= shift.endsAt; above = upper[next]) {',
    because: 'A shift that begins where this one ends lies above none of it, and is laid behind it in either case.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'if (above.endsAt >= startsAt) startsAt = above.endsAt',
    because: 'Where both are the same moment, the moment stays.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'if (above.endsAt >= shift.endsAt) break',
    because: 'A shift that ends with this one is laid with the next one, or with the rest.',
  },
  {
    file: 'src/core/results/uptime.ts',
    line: 'const to = asked.to === undefined || asked.to >= today ? today : asked.to',
    because: 'Today is today, by whichever of its two names.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: '#at = 1',
    because: 'The document sets it before anything is read.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'this.#lineStarts = [1, ...[...text.matchAll(/\\r\\n|[\\r\\n]/g)].map(({ index, 0: end }) => index + end.length)]',
    because: 'The search begins at the first line in either case.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'if (event.anchorStart > 0) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), tree)',
    because: 'An anchor at the very beginning names all of the file, and nothing behind it can be an alias.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'if (event.anchorStart >= 1) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), tree)',
    because: 'An anchor at the very beginning names all of the file, and nothing behind it can be an alias.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'if (offset > 0) this.#offset = offset',
    because: 'The offset is 0 as long as none was set.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'if (offset >= 1) this.#offset = offset',
    because: 'The offset is 0 as long as none was set.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'return refused(this.#placeAt(-2), message)',
    because: 'Every negative offset says that there is none.',
  },
  {
    file: 'src/core/money/vat-rates.ts',
    line: 'const day = at.toISOString().slice(0, 11)',
    because: 'The T behind a day comes after the day itself, and before every later one.',
  },
  {
    file: 'src/core/monitors/parent-proposals.ts',
    line: "return evidence.reduce((sum, one) => sum + (one.type === 'outages' ? 1 + one.together / one.total : 1), 1)",
    because: 'Weights are only compared with each other.',
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
