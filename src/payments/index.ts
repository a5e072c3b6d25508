import type { Secrets } from '#store/database/secrets.ts'
import { type CardOptions, createCardMethod } from './card.ts'
import { type ChainOptions, createChainMethod } from './chain.ts'
import type { PaymentMethod } from './method.ts'
import { type Mpp, createMpp } from './mpp.ts'
import { createSandboxMethod } from './sandbox.ts'
import type { Till } from './settle.ts'

/** The settings of payments. */
export type PaymentOptions =
  | { mode: 'off' }
  | { mode: 'sandbox'; cardWireName: string; secondWireName?: string }
  /** At least one of them is not null. */
  | { mode: 'live'; card: CardOptions | null; chain: ChainOptions | null }

/** What operations need to be paid. */
export type Payments = Till & { mpp: Mpp }

export type PaymentParts = Omit<Till, 'methods'> & {
  /** Its host is the realm of all challenges, whatever address a caller used. */
  publicUrl: string
}

/** Null where payments are off. */
export function createPayments(options: PaymentOptions, parts: PaymentParts): Payments | null {
  if (options.mode === 'off') return null
  const { publicUrl, ...till } = parts
  const mpp = createMpp({ realm: new URL(publicUrl).host, secrets: () => challengeSecrets(till.secrets) })
  return { ...till, methods: methodsOf(options, till.now), mpp }
}

/**
 * Derived from the installation's secret keys, so that all of its processes sign with the same key without a setting for
 * it.
 */
function challengeSecrets(secrets: Secrets): readonly [string, ...string[]] {
  return secrets.signatures('payment challenges', 'v1')
}

/** In the order of the offers. */
function methodsOf(options: Exclude<PaymentOptions, { mode: 'off' }>, now: () => Date): PaymentMethod[] {
  if (options.mode === 'sandbox') return byEachName(createSandboxMethod(options.cardWireName), options.secondWireName)
  const { card, chain } = options
  return [
    ...(card === null ? [] : byEachName(createCardMethod(card, now), card.secondWireName)),
    ...(chain === null ? [] : [createChainMethod(chain, now)]),
  ]
}

/** Wallets look for a method by its name. What they pay is the same method by each of its names. */
function byEachName(method: PaymentMethod, secondWireName: string | undefined): PaymentMethod[] {
  return secondWireName === undefined ? [method] : [method, { ...method, wireName: secondWireName }]
}
