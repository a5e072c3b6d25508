import { constants } from 'node:os'

export type Stopping = {
  /** Aborted from the moment the service stops, by a signal or by a failure. */
  signal: AbortSignal
  /** Resolves, with null, when a signal asks to stop. */
  asked: Promise<null>
  begin: () => void
}

/**
 * npm passes on a Ctrl-C that the terminal has already given to every process, so one press arrives twice. What comes
 * later than this is a second wish.
 */
const sameWishMs = 500

/** The first SIGINT, SIGTERM or SIGHUP asks to stop; a second one ends the process at once. */
export function listenForStop(): Stopping {
  const stopping = new AbortController()
  const { promise: asked, resolve } = Promise.withResolvers<null>()
  let askedAt: number | null = null
  const onSignal = (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void => {
    if (askedAt !== null && performance.now() - askedAt > sameWishMs) process.exit(128 + constants.signals[name])
    askedAt ??= performance.now()
    stopping.abort()
    resolve(null)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
  return { signal: stopping.signal, asked, begin: () => stopping.abort() }
}
