/** Waits for a place, null when `signal` aborts before. The returned function gives the place back. */
export type Turns = (signal: AbortSignal) => Promise<(() => void) | null>

/** Admits at most `places` runs at once; waiting runs follow in order, and give up with their checks. */
export function createTurns(places: number): Turns {
  const waiting: (() => void)[] = []
  let free = places
  function giveBack(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return (signal) => {
    if (signal.aborted) return Promise.resolve(null)
    const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
    if (free > 0) {
      free -= 1
      resolve(giveBack)
      return promise
    }
    function onTurn(): void {
      signal.removeEventListener('abort', onAbort)
      resolve(giveBack)
    }
    function onAbort(): void {
      waiting.splice(waiting.indexOf(onTurn), 1)
      resolve(null)
    }
    waiting.push(onTurn)
    signal.addEventListener('abort', onAbort, { once: true })
    return promise
  }
}
