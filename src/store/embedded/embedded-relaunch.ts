import { setTimeout as delay } from 'node:timers/promises'
import { KilledError, type Server } from './embedded-server.ts'
import { StartError } from '#store/database/start-error.ts'

export type Relaunch = {
  /** One attempt; rejects with what hindered it. */
  launch: () => Promise<Server>
  /** Told what hinders the server, once for each reason in turn. */
  onHindered: (reason: string) => void
  /** Gives up. */
  signal: AbortSignal
  /** In place of an hour. */
  forMs?: number
}

/** A full disk, or one that is read-only, can be mended while the service runs. */
const relaunchForMs = 3_600_000
const [shortestPauseMs, longestPauseMs] = [500, 15_000]

/**
 * Starts a server that has run before, again and again, each time after a longer pause. Rejects with a `StartError` when
 * it could not be started for an hour, or is killed each time.
 */
export async function relaunchServer({ launch, onHindered, signal, forMs = relaunchForMs }: Relaunch): Promise<Server> {
  const until = performance.now() + forMs
  let told = ''
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await launch()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof KilledError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      if (performance.now() + pauseMs > until)
        throw new StartError(`PostgreSQL could not be started again for ${Math.round(forMs / 60_000)} min: ${reason}`, {
          cause: error,
        })
      if (reason !== told) onHindered((told = reason))
    }
    await delay(pauseMs, undefined, { signal })
  }
}
