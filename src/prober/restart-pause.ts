/** What died comes back after the first pause, what dies again and again after twice as long each time. */
const firstMs = 1_000
const longestMs = 60_000
/** What lived this long has not died of its start. */
const soundMs = 60_000

/** How long a thread or a process that died waits until it begins anew. */
export type RestartPause = { next: (livedMs: number) => number }

export function createRestartPause(): RestartPause {
  let comingMs = firstMs
  return {
    next: (livedMs) => {
      const pauseMs = livedMs >= soundMs ? firstMs : comingMs
      comingMs = Math.min(pauseMs * 2, longestMs)
      return pauseMs
    },
  }
}
