import { createHash } from 'node:crypto'

/** What happened, a line each. All of it counts for `digest`, and the last lines are kept. */
export type Trace = {
  say: (line: string) => void
  last: () => string[]
  /** Two runs with the same one said the same. */
  digest: () => string
}

const keptLines = 400

export function createTrace(nowMs: () => number): Trace {
  const hash = createHash('sha256')
  let lines: string[] = []
  return {
    say: (line) => {
      const whole = `${(nowMs() / 1000).toFixed(3)} ${line}`
      hash.update(whole).update('\n')
      lines.push(whole)
      if (lines.length > 2 * keptLines) lines = lines.slice(-keptLines)
    },
    last: () => lines.slice(-keptLines),
    digest: () => hash.copy().digest('hex'),
  }
}
