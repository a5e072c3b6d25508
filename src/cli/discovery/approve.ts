import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import type { Change } from '#core/discovery/discovered-file.ts'
import { lineOf } from './change-line.ts'

/** Asks a person about each change. Quitting, or the end of the input, leaves the rest undecided. */
export async function decideByHand(
  changes: readonly Change[],
  { input, output }: { input: Readable; output: Writable },
): Promise<Map<Change, boolean>> {
  const terminal = createInterface({ input, output })
  const ended = new AbortController()
  terminal.on('close', () => ended.abort())
  const decisions = new Map<Change, boolean>()
  try {
    for (const [at, change] of changes.entries()) {
      output.write(`${lineOf(change)}\n`)
      const answer = await ask(terminal, ended.signal)
      if (answer === 'all') for (const rest of changes.slice(at)) decisions.set(rest, true)
      if (answer === 'all' || answer === 'quit') break
      decisions.set(change, answer === 'yes')
    }
  } finally {
    terminal.close()
  }
  return decisions
}

const answers: Readonly<Record<string, 'yes' | 'no' | 'all' | 'quit'>> = { y: 'yes', n: 'no', a: 'all', q: 'quit' }

async function ask(
  terminal: ReturnType<typeof createInterface>,
  signal: AbortSignal,
): Promise<'yes' | 'no' | 'all' | 'quit'> {
  while (!signal.aborted) {
    const said = await terminal.question('Add this? [y]es, [n]o, [a]ll the rest, [q]uit: ', { signal }).catch(() => 'q')
    const answer = answers[said.trim().toLowerCase().slice(0, 1)]
    if (answer !== undefined) return answer
  }
  return 'quit'
}
