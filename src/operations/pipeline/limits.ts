import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { type RateClass, type RateState, addressBucket, windowSeconds } from '#core/language/rate-limit.ts'
import type { Database } from '#store/database/database.ts'

/**
 * Counters of one process, or of all API processes together. Each call counts one request and returns the new count.
 */
export type Limits = {
  /** `requests`: as how many it counts; default 1. */
  countRequest: (rateClass: RateClass, tokenId: string, requests?: number) => Promise<RateState>
  /** A call to the address of a heartbeat, webhook or push_metric monitor. */
  countCall: (monitorId: string) => Promise<RateState>
  /** A read of the calendar of an on-call schedule. */
  countCalendar: (scheduleId: string) => Promise<RateState>
  /** A reading of the wall of a screen. */
  countScreen: (screenId: string) => Promise<RateState>
  /** A failed authentication from this address. */
  countFailure: (address: string) => Promise<RateState>
  /** An attempt to sign in, or another request that could guess at accounts, from this address. */
  countSignIn: (address: string) => Promise<RateState>
  /** A password for an account from one place: the account need not exist. Its window is 15 minutes. */
  countPassword: (accountAndPlace: string) => Promise<RateState>
  /** The same from all places that the account does not know: ten times as many. */
  countAccount: (account: string) => Promise<RateState>
  /** A mail to one mailbox that any visitor can request, from one place. Its window is an hour. */
  countMail: (mailboxAndPlace: string) => Promise<RateState>
  /** The same from all places: four times as many. */
  countMailbox: (mailbox: string) => Promise<RateState>
  /** An agent that registers, from this address. */
  countRegistration: (address: string) => Promise<RateState>
  /** An agent that is about to get a workspace of its own, from this address. Its window is a day. */
  countAnonymous: (address: string) => Promise<RateState>
  /** Whether agents may get a workspace of their own at all: PERIGEE_ANONYMOUS_PER_DAY is not 0. */
  takesAnonymous: boolean
  /** A program that registers to ask people for access, from this address. Its window is a day. */
  countOauthClient: (address: string) => Promise<RateState>
  /** A quote or a create without an account, from this address. */
  countStranger: (address: string) => Promise<RateState>
  /** Another call of an agent with a claim token, an assertion or a token, from this address. */
  countAgentCall: (address: string) => Promise<RateState>
  /** A visit of a page that a link in an alert opens, from this address. */
  countLink: (address: string) => Promise<RateState>
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

/** From how many places strangers may use up what one place may try: guesses are few, and a mailbox is not flooded. */
const placesOfAccount = 10
const placesOfMailbox = 4

/** Quotes and creates without an account, together. */
const strangersPerMinute = 30
/** A loop that calls too often is stopped at its own monitor and disturbs no others (docs/decisions/heartbeats.md). */
const callsPerMinute = 60
/** A program registers once on each machine, and those of a whole team may share an address. */
const oauthClientsPerDay = 20
/** Many agents may poll from one address. */
const agentCallsPerMinute = 600
/** Colleagues behind one address open the links of one outage; a token is not to be guessed at any rate. */
const linksPerMinute = 120
/** Calendar programs read every few minutes at most; a whole team may have the same address. */
const calendarsPerMinute = 60
/** A browser asks four times a minute, and an address may stand on every screen of a building. */
const screensPerMinute = 240
const quarterHourSeconds = 900
const hourSeconds = 3600
const daySeconds = 86_400

/**
 * Several API processes count in the table `rate_limits` of the database that they share; each counts for itself while
 * the database is away. In memory there are at most four entries for each token of the last minute, and 65,536 for each
 * kind of address and account.
 */
export function createLimits(rates: Rates, shared: Pick<Database, 'pool'> | null = null): Limits {
  const counter = counterIn(shared)
  const requests = { reads: counter('reads', rates.readsPerMinute), writes: counter('writes', rates.writesPerMinute) }
  const failures = counter('failures', rates.failuresPerMinute)
  const calls = counter('calls', callsPerMinute)
  const calendars = counter('calendars', calendarsPerMinute)
  const screens = counter('screens', screensPerMinute)
  const signIns = rates.signIns ?? defaultSignIns
  const tries = counter('tries', signIns.perMinute)
  const passwords = counter('passwords', signIns.passwordsPerQuarterHour, quarterHourSeconds)
  const accounts = counter('accounts', placesOfAccount * signIns.passwordsPerQuarterHour, quarterHourSeconds)
  const mails = counter('mails', signIns.mailsPerHour, hourSeconds)
  const mailboxes = counter('mailboxes', placesOfMailbox * signIns.mailsPerHour, hourSeconds)
  const registrations = counter('registrations', rates.registrationsPerMinute)
  const anonymous = counter('anonymous', rates.anonymousPerDay, daySeconds)
  const strangers = counter('strangers', rates.strangersPerMinute ?? strangersPerMinute)
  const oauthClients = counter('oauthClients', oauthClientsPerDay, daySeconds)
  const agentCalls = counter('agentCalls', agentCallsPerMinute)
  const links = counter('links', linksPerMinute)
  return {
    countRequest: (rateClass, tokenId, times) => requests[rateClass](tokenId, times),
    countCall: calls,
    countCalendar: calendars,
    countScreen: screens,
    countFailure: (address) => failures(addressBucket(address)),
    countSignIn: (address) => tries(addressBucket(address)),
    countPassword: (account) => passwords(addressBucket(account)),
    countAccount: (account) => accounts(addressBucket(account)),
    countMail: (account) => mails(addressBucket(account)),
    countMailbox: (mailbox) => mailboxes(addressBucket(mailbox)),
    countRegistration: (address) => registrations(addressBucket(address)),
    countAnonymous: (address) => anonymous(addressBucket(address)),
    takesAnonymous: rates.anonymousPerDay > 0,
    countOauthClient: (address) => oauthClients(addressBucket(address)),
    countStranger: (address) => strangers(addressBucket(address)),
    countAgentCall: (address) => agentCalls(addressBucket(address)),
    countLink: (address) => links(addressBucket(address)),
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
    // A caller beyond the limit is refused without another look at the table.
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
