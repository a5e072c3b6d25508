/** What became of one check; `none` when the location could not tell. */
export type CheckStatus = 'up' | 'down' | 'degraded' | 'none'

/** Called by the probers of a thread for everything they do, so each call may cost a few additions only. */
export type ProberObserver = {
  checked: (check: { kind: string; status: CheckStatus; seconds: number }) => void
  /** Assignments that were not taken: full, or stopping. */
  refused: (assignments: number) => void
  /** Results that could not be sent in time. */
  dropped: (results: number) => void
}

/** How full a prober is. */
export type ProberLoad = { running: number; waiting: number; outbox: number }

/** Checks of one kind and outcome whose durations lie between two bounds, and the sum of those. */
export type CheckCount = { kind: string; status: CheckStatus; checks: number; seconds: number }

/** What a thread did since it told last, and how full it is now. */
export type ProberCounts = ProberLoad & { checks: CheckCount[]; refused: number; dropped: number; stalls: number }

export type Tally = ProberObserver & {
  /** What was counted since the last call, which begins anew. Null when nothing happened and nothing changed. */
  take: (now: ProberLoad & { stalls: number }) => ProberCounts | null
}

/** Upper bounds of durations in seconds; timeouts reach to 60 s, measurements of pages to 120 s. */
export const durationBounds: readonly number[] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Counts in the thread and reports now and then, so that counting a check costs next to nothing. */
export function createTally(): Tally {
  let checks = new Map<string, CheckCount>()
  let refused = 0
  let dropped = 0
  let stallsBefore = 0
  let loadBefore = ''

  function count(key: string, { kind, status }: Pick<CheckCount, 'kind' | 'status'>): CheckCount {
    const known = checks.get(key)
    if (known !== undefined) return known
    const fresh = { kind, status, checks: 0, seconds: 0 }
    checks.set(key, fresh)
    return fresh
  }

  return {
    checked: ({ kind, status, seconds }) => {
      const bucket = durationBounds.findIndex((bound) => seconds <= bound)
      const counted = count(`${kind} ${status} ${bucket}`, { kind, status })
      counted.checks += 1
      counted.seconds += seconds
    },
    refused: (assignments) => {
      refused += assignments
    },
    dropped: (results) => {
      dropped += results
    },
    take: ({ stalls, ...load }) => {
      const counts = { ...load, checks: [...checks.values()], refused, dropped, stalls: stalls - stallsBefore }
      const loadNow = JSON.stringify(load)
      const isQuiet = counts.checks.length === 0 && refused + dropped + counts.stalls === 0 && loadNow === loadBefore
      checks = new Map()
      refused = 0
      dropped = 0
      stallsBefore = stalls
      loadBefore = loadNow
      return isQuiet ? null : counts
    },
  }
}
