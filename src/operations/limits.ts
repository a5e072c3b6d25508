import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type RateClass, type RateState, addressBucket, windowSeconds } from '#core/rate-limit.ts'

/** Counters of one process; each call counts one and says where that leads. */
export type Limits = {
  countRequest: (rateClass: RateClass, tokenId: string) => Promise<RateState>
  /** A call to the address of a monitor that waits to be called. */
  countCall: (monitorId: string) => Promise<RateState>
  /** A failed authentication from this address. */
  countFailure: (address: string) => Promise<RateState>
}

export type Rates = { readsPerMinute: number; writesPerMinute: number; failuresPerMinute: number }

/** decisions.md B16. */
const callsPerMinute = 60

/** At most four entries a token seen within the minute, and 65,536 for all addresses. */
export function createLimits(rates: Rates): Limits {
  const requests = { reads: counter(rates.readsPerMinute), writes: counter(rates.writesPerMinute) }
  const failures = counter(rates.failuresPerMinute)
  const calls = counter(callsPerMinute)
  return {
    countRequest: (rateClass, tokenId) => requests[rateClass](tokenId),
    countCall: calls,
    countFailure: (address) => failures(addressBucket(address)),
  }
}

function counter(limit: number): (key: string | number) => Promise<RateState> {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds })
  return async (key) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key)
    return {
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      isExceeded: consumedPoints > limit,
    }
  }
}
