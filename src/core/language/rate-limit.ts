/** Windows are one minute (specification, Limits), but for what counts by the day. */
export const windowSeconds = 60

export type RateClass = 'reads' | 'writes'

/** What a counter says after a request was counted. */
export type RateState = { limit: number; remaining: number; resetSeconds: number; isExceeded: boolean }

export const defaultRates = {
  readsPerMinute: 300,
  writesPerMinute: 60,
  failuresPerMinute: 60,
  registrationsPerMinute: 10,
  anonymousPerDay: 20,
} as const

/** Every method but GET and HEAD is a write, quotes included (decisions.md C5). */
export function rateClass(method: string): RateClass {
  return method === 'GET' || method === 'HEAD' ? 'reads' : 'writes'
}

/** Headers of the specification, Limits: what is allowed, what is left, seconds until the window ends. */
export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'RateLimit-Limit': String(state.limit),
    'RateLimit-Remaining': String(state.remaining),
    'RateLimit-Reset': String(state.resetSeconds),
  }
}

const buckets = 65_536

/**
 * The counter that an address shares with few others, so that a flood of addresses cannot fill the memory.
 * Sharing is harmless: past the limit only bad credentials are refused (decisions.md C26). FNV-1a.
 */
export function addressBucket(address: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < address.length; index += 1) hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193)
  return ((hash >>> 16) ^ hash) & (buckets - 1)
}
