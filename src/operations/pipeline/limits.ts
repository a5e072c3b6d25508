import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { type RateClass, type RateState, addressBucket, windowSeconds } from '#core/language/rate-limit.ts'
import type { Database } from '#store/database/database.ts'

/** Counters of one process, or of all API processes together; each call counts one and says where that leads. */
export type Limits = {
  /** `requests`: what is worth several counts as so many. */
  countRequest: (rateClass: RateClass, tokenId: string, requests?: number) => Promise<RateState>
  /** A call to the address of a monitor that waits to be called. */
  countCall: (monitorId: string) => Promise<RateState>
  /** A failed authentication from this address. */
  countFailure: (address: string) => Promise<RateState>
  /** A try to sign in, or anything else about accounts that could be guessed at, from this address. */
  countSignIn: (address: string) => Promise<RateState>
  /** A password given for an account: an email address, whether anybody has it or not. Its window is 15 minutes. */
  countPassword: (account: string) => Promise<RateState>
  /** A mail that anybody can have sent to this email address. Its window is an hour. */
  countMail: (account: string) => Promise<RateState>
  /** An agent that registers, from this address. */
  countRegistration: (address: string) => Promise<RateState>
  /** One that is about to be given a workspace of its own; its window is a day. */
  countAnonymous: (address: string) => Promise<RateState>
  /** A quote or a create without an account, from this address (specification, Limits). */
  countStranger: (address: string) => Promise<RateState>
  /** Any other call of an agent that shows a claim token, an assertion or a token. */
  countAgentCall: (address: string) => Promise<RateState>
}

export type Rates = {
  readsPerMinute: number
  writesPerMinute: number
  failuresPerMinute: number
  registrationsPerMinute: number
  anonymousPerDay: number
  /** Default 30. */
  strangersPerMinute?: number
  signIns?: SignInRates
}

export type SignInRates = { perMinute: number; passwordsPerQuarterHour: number; mailsPerHour: number }
const defaultSignIns: SignInRates = { perMinute: 30, passwordsPerQuarterHour: 10, mailsPerHour: 5 }

/** Specification, Limits: quotes without an account, which creates share. */
const strangersPerMinute = 30
/** decisions.md B16. */
const callsPerMinute = 60
/** Agents behind one address poll and exchange; beyond this they cost more than they are worth. */
const agentCallsPerMinute = 600
const quarterHourSeconds = 900
const hourSeconds = 3600
const daySeconds = 86_400

/**
 * At most four entries a token seen within the minute, and 65,536 for each kind of address and account. Several API
 * processes count in the table `rate_limits` of the database that they share; each for itself while it is away.
 */
export function createLimits(rates: Rates, shared: Pick<Database, 'pool'> | null = null): Limits {
  const counter = counterIn(shared)
  const requests = { reads: counter('reads', rates.readsPerMinute), writes: counter('writes', rates.writesPerMinute) }
  const failures = counter('failures', rates.failuresPerMinute)
  const calls = counter('calls', callsPerMinute)
  const signIns = rates.signIns ?? defaultSignIns
  const tries = counter('tries', signIns.perMinute)
  const passwords = counter('passwords', signIns.passwordsPerQuarterHour, quarterHourSeconds)
  const mails = counter('mails', signIns.mailsPerHour, hourSeconds)
  const registrations = counter('registrations', rates.registrationsPerMinute)
  const anonymous = counter('anonymous', rates.anonymousPerDay, daySeconds)
  const strangers = counter('strangers', rates.strangersPerMinute ?? strangersPerMinute)
  const agentCalls = counter('agentCalls', agentCallsPerMinute)
  return {
    countRequest: (rateClass, tokenId, times) => requests[rateClass](tokenId, times),
    countCall: calls,
    countFailure: (address) => failures(addressBucket(address)),
    countSignIn: (address) => tries(addressBucket(address)),
    countPassword: (account) => passwords(addressBucket(account)),
    countMail: (account) => mails(addressBucket(account)),
    countRegistration: (address) => registrations(addressBucket(address)),
    countAnonymous: (address) => anonymous(addressBucket(address)),
    countStranger: (address) => strangers(addressBucket(address)),
    countAgentCall: (address) => agentCalls(addressBucket(address)),
  }
}

type Count = (key: string | number, times?: number) => Promise<RateState>
type MakeCounter = (name: string, limit: number, seconds?: number) => Count

function counterIn(shared: Pick<Database, 'pool'> | null): MakeCounter {
  // One sweep of the table is enough for all counters of a process.
  let isSwept = false
  return (name, limit, seconds = windowSeconds) => {
    const own = { points: limit, duration: seconds, keyPrefix: name }
    const alone = new RateLimiterMemory(own)
    if (shared === null) return countIn(alone, limit)
    const clearExpiredByTimeout = !isSwept
    isSwept = true
    const store = { storeClient: shared.pool, storeType: 'pool', tableName: 'rate_limits', tableCreated: true }
    // What is used up needs no further look at the table.
    const blocking = { inMemoryBlockOnConsumed: limit + 1 }
    const together = { ...own, ...store, ...blocking, clearExpiredByTimeout, insuranceLimiter: alone }
    return countIn(new RateLimiterPostgres(together), limit)
  }
}

function countIn(limiter: RateLimiterMemory | RateLimiterPostgres, limit: number): Count {
  return async (key, times = 1) => {
    const { counted, isExceeded } = await limiter.consume(key, times).then(
      (state) => ({ counted: state, isExceeded: false }),
      (refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return { counted: refusal, isExceeded: true }
        throw refusal
      },
    )
    const resetSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000))
    return { limit, remaining: counted.remainingPoints, resetSeconds, isExceeded }
  }
}
