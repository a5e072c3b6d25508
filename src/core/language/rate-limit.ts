/** Limits count by windows of one minute, except those that count by the day. */
export const windowSeconds = 60

export type RateClass = 'reads' | 'writes'

/** The state of a counter after it has counted a request. */
export type RateState = { limit: number; remaining: number; resetSeconds: number; isExceeded: boolean }

export const defaultRates = {
  readsPerMinute: 300,
  writesPerMinute: 60,
  failuresPerMinute: 60,
  registrationsPerMinute: 10,
  anonymousPerDay: 20,
} as const

/** Every method but GET and HEAD is a write. A quote is one too, for it prices and validates as a write does. */
export function rateClass(method: string): RateClass {
  return method === 'GET' || method === 'HEAD' ? 'reads' : 'writes'
}

/** `RateLimit-Reset` counts seconds until the window ends. */
export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'RateLimit-Limit': String(state.limit),
    'RateLimit-Remaining': String(state.remaining),
    'RateLimit-Reset': String(state.resetSeconds),
  }
}

const buckets = 65_536

/**
 * The number of an address's counter. Addresses share a fixed number of counters, so that a flood of addresses cannot
 * fill the memory. Sharing is harmless: past the limit only requests with bad credentials are refused
 * (docs/decisions/api-surface.md, "Failed sign-ins"). The hash is FNV-1a.
 */
export function addressBucket(address: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < address.length; index += 1) hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193)
  return ((hash >>> 16) ^ hash) & (buckets - 1)
}
