/**
 * After longer than this without a turn of the event loop, the timings of a check say something of this process, not of
 * the target (docs/decisions/rounds-and-time.md, "The prober's own trouble").
 */
const stallMs = 250
const periodMs = 50
/** Of a thread that stands still again and again, for longer than any check lasts. */
const maxRemembered = 4_096

/** Watches the event loop of this thread while somebody wants to know: a thread without checks is not woken for it. */
export type StallWatch = {
  /** Watches from now on, at least until the function that it returns is called. */
  begin: () => () => void
  /**
   * Milliseconds for which the loop stood still since `startMs` of the same clock, at which it was watched; 0 where it
   * always turned.
   */
  stalledMs: (startMs: number) => number
  readonly stalls: number
  stop: () => void
}

type Stall = { fromMs: number; toMs: number }

export function watchStalls(now: () => number = () => performance.now()): StallWatch {
  let lastTurnMs = now()
  let remembered: Stall[] = []
  let stalls = 0
  let watching = 0
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const nowMs = now()
    if (nowMs - lastTurnMs > stallMs + periodMs) {
      if (remembered.length >= maxRemembered) remembered = remembered.slice(maxRemembered / 2)
      remembered.push({ fromMs: lastTurnMs, toMs: nowMs })
      stalls += 1
    }
    lastTurnMs = nowMs
  }
  const end = (): void => {
    watching -= 1
    if (watching > 0) return
    look()
    clearInterval(timer)
  }
  return {
    begin: () => {
      if (watching === 0) {
        lastTurnMs = now()
        timer = setInterval(look, periodMs)
      }
      watching += 1
      return end
    },
    get stalls() {
      return stalls
    },
    // Looks by itself, because the answer of a socket may be handled before the timer that is overdue.
    stalledMs: (startMs) => {
      look()
      let sum = 0
      for (let place = remembered.length - 1; place >= 0; place -= 1) {
        const { fromMs, toMs } = remembered[place] ?? { fromMs: 0, toMs: 0 }
        if (toMs <= startMs) break
        sum += toMs - Math.max(fromMs, startMs)
      }
      return sum
    },
    stop: () => clearInterval(timer),
  }
}
