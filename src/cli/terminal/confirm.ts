import { createInterface } from 'node:readline/promises'

/** Whether there is somebody to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** Asks a person a question that only a clear yes answers so; the end of the input is a no. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new AbortController()
  terminal.on('close', () => ended.abort())
  try {
    const said = await terminal.question(`${question} [y/N] `, { signal: ended.signal }).catch(() => '')
    return /^y(?:es)?$/i.test(said.trim())
  } finally {
    terminal.close()
  }
}
