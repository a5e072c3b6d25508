import type { RateState } from '#core/language/rate-limit.ts'
import type { PeopleParts } from './people-parts.ts'

/** Where a try comes from: a browser that the account knows, by its id, or else a network. */
export type TryFrom = { browser: string } | { network: string }

export type SignInLimits = {
  /** Any try, whichever account is tried. */
  countTry: (from: TryFrom) => Promise<RateState>
  countPassword: CountFor
  /** A mail that confirms an address or signs in. */
  countMail: CountFor
  /** A mail that sets a new password, the way out for a person who cannot sign in otherwise. */
  countReset: CountFor
}

type CountFor = (account: string, from: TryFrom) => Promise<RateState>

/**
 * How often an account may be tried, from one place and from all that it does not know. What strangers try takes
 * nothing from a browser that the account knows (docs/decisions/people-and-access.md, "Limits of signing in").
 */
export function createSignInLimits({ limits, secrets }: Pick<PeopleParts, 'limits' | 'secrets'>): SignInLimits {
  const { countSignIn, countPassword, countAccount, countMail, countMailbox } = limits
  // Counters are shared by hash (core/language/rate-limit.ts); nobody can work out whose counter another text shares.
  const keyOf = (...words: string[]): string => secrets.sign('sign-in-limit', words.join(' '))
  const limit =
    (what: string, countOne: CountKey, countAll: CountKey): CountFor =>
    async (account, from) => {
      const own = await countOne(keyOf(what, account, placeOf(from)))
      return own.isExceeded || 'browser' in from ? own : countAll(keyOf(what, account))
    }
  return {
    countTry: (from) => countSignIn('browser' in from ? keyOf(placeOf(from)) : from.network),
    countPassword: limit('password', countPassword, countAccount),
    countMail: limit('mail', countMail, countMailbox),
    countReset: limit('reset', countMail, countMailbox),
  }
}

type CountKey = (key: string) => Promise<RateState>

function placeOf(from: TryFrom): string {
  return 'browser' in from ? `browser ${from.browser}` : from.network
}
