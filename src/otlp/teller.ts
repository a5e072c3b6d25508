/** Told after each request what kept something from being taken, or null. */
export type Teller = (problem: string | null) => void

export type TellerLog = { warn: (message: string, details?: Record<string, unknown>) => void }

/** Thousands of requests may be refused for the same reason, which the log has once. */
export function createTeller(log: TellerLog, message: string): Teller {
  let last: string | null = null
  return (problem) => {
    if (problem !== null && problem !== last) log.warn(message, { problem })
    last = problem
  }
}
