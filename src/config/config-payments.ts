import { z } from 'zod'
import { address, matching, variable, wholeNumber } from './config-values.ts'
import type { CardOptions } from '#payments/card.ts'
import type { ChainOptions } from '#payments/chain.ts'
import type { PaymentOptions } from '#payments/index.ts'

const chainAddress = '0x followed by 40 hexadecimal digits'
const wireName = matching('1 to 32 lower-case letters', /^[a-z]{1,32}$/)

/** What card and chain need; whether anything is paid at all says PERIGEE_PAYMENTS. */
export const paymentVariables = {
  PERIGEE_STRIPE_SECRET_KEY: matching(
    'a secret or restricted key of Stripe, such as sk_live_… or rk_test_…',
    /^(?:sk|rk)_(?:test|live)_[A-Za-z0-9]{8,250}$/,
  ).optional(),
  PERIGEE_STRIPE_PROFILE: matching(
    'the id of a Stripe profile, such as profile_123',
    /^[A-Za-z0-9_]{1,100}$/,
  ).optional(),
  PERIGEE_STRIPE_URL: variable('an http:// or https:// address without a path', origin).prefault(
    'https://api.stripe.com',
  ),
  PERIGEE_CARD_WIRE_NAME: wireName.default('card'),
  PERIGEE_CARD_SECOND_WIRE_NAME: wireName.optional(),
  PERIGEE_CHAIN_RPC_URL: address('an http:// or https:// address', ['http', 'https']).optional(),
  PERIGEE_CHAIN_ID: wholeNumber(1, 999_999_999).optional(),
  PERIGEE_CHAIN_TESTNET: z.enum(['true', 'false'], { error: 'true or false' }).default('false'),
  PERIGEE_CHAIN_TOKEN: variable(chainAddress, hexAddress).optional(),
  PERIGEE_CHAIN_TOKEN_NAME: matching('1 to 64 characters', /^.{1,64}$/).optional(),
  PERIGEE_CHAIN_TOKEN_VERSION: matching('1 to 16 characters', /^.{1,16}$/).default('1'),
  PERIGEE_CHAIN_TOKEN_DECIMALS: wholeNumber(2, 18).default(6),
  PERIGEE_CHAIN_RECIPIENT: variable(chainAddress, hexAddress).optional(),
  PERIGEE_CHAIN_RELAYER_KEY: variable('0x followed by 64 hexadecimal digits', (text) => hex(text, 64)).optional(),
  PERIGEE_CHAIN_MINIMUM_CENTS: wholeNumber(1, 100_000).default(1),
  PERIGEE_CHAIN_CONFIRMATIONS: wholeNumber(1, 64).default(1),
  PERIGEE_CHAIN_WIRE_NAME: wireName.default('chain'),
}

export const secretPaymentVariables = [
  'PERIGEE_STRIPE_SECRET_KEY',
  'PERIGEE_CHAIN_RPC_URL',
  'PERIGEE_CHAIN_RELAYER_KEY',
] as const

const paymentShape = z.object(paymentVariables)
export type PaymentVariables = z.infer<typeof paymentShape>

/** How the service is paid, if at all. */
export function paymentsOf(read: PaymentVariables & { PERIGEE_PAYMENTS: PaymentOptions['mode'] }): PaymentOptions {
  switch (read.PERIGEE_PAYMENTS) {
    case 'off':
      return { mode: 'off' }
    case 'sandbox':
      return { mode: 'sandbox', cardWireName: read.PERIGEE_CARD_WIRE_NAME, ...secondNameOf(read) }
    case 'live':
      return { mode: 'live', card: cardOf(read), chain: chainOf(read) }
  }
}

/** Null where Stripe is not set up. */
function cardOf(read: PaymentVariables): CardOptions | null {
  const { PERIGEE_STRIPE_SECRET_KEY: secretKey, PERIGEE_STRIPE_PROFILE: profile } = read
  if (secretKey === undefined || profile === undefined) return null
  const names = { wireName: read.PERIGEE_CARD_WIRE_NAME, ...secondNameOf(read) }
  return { ...names, secretKey, profile, url: read.PERIGEE_STRIPE_URL }
}

function secondNameOf({ PERIGEE_CARD_SECOND_WIRE_NAME: name }: PaymentVariables): { secondWireName?: string } {
  return name === undefined ? {} : { secondWireName: name }
}

/** Null where no chain is set up. */
function chainOf(read: PaymentVariables): ChainOptions | null {
  const {
    PERIGEE_CHAIN_RPC_URL: rpcUrl,
    PERIGEE_CHAIN_ID: chainId,
    PERIGEE_CHAIN_TOKEN: token,
    PERIGEE_CHAIN_TOKEN_NAME: name,
    PERIGEE_CHAIN_RECIPIENT: recipient,
    PERIGEE_CHAIN_RELAYER_KEY: relayerKey,
  } = read
  const isSetUp = ![rpcUrl, chainId, token, name, recipient, relayerKey].includes(undefined)
  if (!isSetUp || rpcUrl === undefined || chainId === undefined || token === undefined) return null
  if (name === undefined || recipient === undefined || relayerKey === undefined) return null
  return {
    wireName: read.PERIGEE_CHAIN_WIRE_NAME,
    rpcUrl,
    chainId,
    isTestnet: read.PERIGEE_CHAIN_TESTNET === 'true',
    token: {
      address: token,
      name,
      version: read.PERIGEE_CHAIN_TOKEN_VERSION,
      decimals: read.PERIGEE_CHAIN_TOKEN_DECIMALS,
    },
    recipient,
    relayerKey,
    minimumCents: read.PERIGEE_CHAIN_MINIMUM_CENTS,
    confirmations: read.PERIGEE_CHAIN_CONFIRMATIONS,
  }
}

/** What no variable can tell alone; `isLive` when payments are to be taken. */
export function paymentContradictions(read: PaymentVariables, isLive: boolean): string[] {
  const problems = [...incomplete(read, stripeNames), ...incomplete(read, chainNames)]
  if (isLive && problems.length === 0 && cardOf(read) === null && chainOf(read) === null)
    problems.push(
      'PERIGEE_PAYMENTS is live, but there is no way to be paid. Set PERIGEE_STRIPE_SECRET_KEY and PERIGEE_STRIPE_PROFILE, or PERIGEE_CHAIN_RPC_URL and the other PERIGEE_CHAIN_ variables.',
    )
  if (read.PERIGEE_CARD_WIRE_NAME === read.PERIGEE_CHAIN_WIRE_NAME)
    problems.push('PERIGEE_CARD_WIRE_NAME and PERIGEE_CHAIN_WIRE_NAME must differ.')
  const others = [read.PERIGEE_CARD_WIRE_NAME, read.PERIGEE_CHAIN_WIRE_NAME]
  if (read.PERIGEE_CARD_SECOND_WIRE_NAME !== undefined && others.includes(read.PERIGEE_CARD_SECOND_WIRE_NAME))
    problems.push('PERIGEE_CARD_SECOND_WIRE_NAME must differ from PERIGEE_CARD_WIRE_NAME and PERIGEE_CHAIN_WIRE_NAME.')
  return problems
}

const stripeNames = ['PERIGEE_STRIPE_SECRET_KEY', 'PERIGEE_STRIPE_PROFILE'] as const
const chainNames = [
  'PERIGEE_CHAIN_RPC_URL',
  'PERIGEE_CHAIN_ID',
  'PERIGEE_CHAIN_TOKEN',
  'PERIGEE_CHAIN_TOKEN_NAME',
  'PERIGEE_CHAIN_RECIPIENT',
  'PERIGEE_CHAIN_RELAYER_KEY',
] as const

/** A problem where only some of the variables that belong together are set. */
function incomplete(read: PaymentVariables, names: readonly (keyof PaymentVariables)[]): string[] {
  const missing = names.filter((name) => read[name] === undefined)
  if (missing.length === 0 || missing.length === names.length) return []
  return [
    `${names.join(', ')} must be set together. ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
  ]
}

function origin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin: root, pathname, search, hash, username } = new URL(text)
  const isBare = pathname === '/' && `${search}${hash}${username}` === ''
  return isBare && ['http:', 'https:'].includes(protocol) ? root : null
}

function hexAddress(text: string): `0x${string}` | null {
  return hex(text, 40)
}

function hex(text: string, digits: number): `0x${string}` | null {
  const [, found] = /^0x([0-9a-fA-F]+)$/.exec(text) ?? []
  return found?.length === digits ? `0x${found}` : null
}
