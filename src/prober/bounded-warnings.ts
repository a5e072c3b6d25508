import type { Time } from '#time/time.ts'

type Warn = (message: string, details?: Record<string, unknown>) => void

export type BoundedWarnings = {
  warn: Warn
  /** Says what was left out so far. */
  end: () => void
}

const minuteMs = 60_000
/** Far above what threads of probers say that are well. */
const maxAMinute = 100

/** Says so many warnings in a minute, and at its end in one line how many more there were. */
export function boundedWarnings(warn: Warn, { after }: Pick<Time, 'after'>): BoundedWarnings {
  let said = 0
  let leftOut = 0
  let endMinute: (() => void) | null = null
  function end(): void {
    endMinute?.()
    endMinute = null
    if (leftOut > 0) warn('Warnings of the probers were left out, because there were too many.', { count: leftOut })
    said = 0
    leftOut = 0
  }
  return {
    warn: (message, details) => {
      endMinute ??= after(minuteMs, end)
      if (said >= maxAMinute) leftOut += 1
      else {
        said += 1
        warn(message, details)
      }
    },
    end,
  }
}
