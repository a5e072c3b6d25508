/** Milliseconds to wait before a server is asked; null when so many wait already that this turn never came. */
export type Turns = (server: string) => number | null

const maxServers = 1000

/** Turns at each server that lie `spacingMs` apart, the last one at most `maxWaitMs` from now. */
export function createTurns(pace: { spacingMs: number; maxWaitMs: number }, nowMs: () => number): Turns {
  const nextAt = new Map<string, number>()
  return (server) => {
    const now = nowMs()
    const at = Math.max(now, nextAt.get(server) ?? 0)
    if (at - now > pace.maxWaitMs) return null
    nextAt.delete(server)
    nextAt.set(server, at + pace.spacingMs)
    const [oldest] = nextAt.keys()
    if (nextAt.size > maxServers && oldest !== undefined) nextAt.delete(oldest)
    return at - now
  }
}

/** Waits for a turn; false when it never comes. */
export async function takeTurn(turns: Turns, server: string): Promise<boolean> {
  const waitMs = turns(server)
  if (waitMs === null) return false
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  return true
}

/** What is told when it never comes. */
export function tooMany(server: string): { ok: false; problem: string } {
  return { ok: false, problem: `${server} is being asked about many other domains at the moment` }
}
