import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const seller = {
  PERIGEE_SELLER_NAME: 'Acme OOD',
  PERIGEE_SELLER_ADDRESS: '2 Main Street, 1000 Sofia',
  PERIGEE_SELLER_COUNTRY: 'BG',
  PERIGEE_SELLER_VAT_ID: 'BG175074752',
}
const stripe = { PERIGEE_STRIPE_SECRET_KEY: 'sk_test_1234567890', PERIGEE_STRIPE_PROFILE: 'profile_1' }
const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const recipient = '0x00000000000000000000000000000000000000a1'
const relayerKey = `0x${'1f'.repeat(32)}`
const chain = {
  PERIGEE_CHAIN_RPC_URL: 'https://rpc.example/v1/key',
  PERIGEE_CHAIN_ID: '8453',
  PERIGEE_CHAIN_TOKEN: token,
  PERIGEE_CHAIN_TOKEN_NAME: 'USD Coin',
  PERIGEE_CHAIN_TOKEN_VERSION: '2',
  PERIGEE_CHAIN_RECIPIENT: recipient,
  PERIGEE_CHAIN_RELAYER_KEY: relayerKey,
}
const live = { PERIGEE_PAYMENTS: 'live', ...seller }

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('what the environment says of being paid', () => {
  it('nothing, until payments are switched on', () => {
    assert.deepEqual(readConfig({}).payments, { mode: 'off' })
    assert.deepEqual(readConfig({ ...stripe, ...chain }).payments, { mode: 'off' })
  })

  it('by the sandbox, under the name of cards', () => {
    assert.deepEqual(readConfig({ PERIGEE_PAYMENTS: 'sandbox', PERIGEE_CARD_WIRE_NAME: 'stripe' }).payments, {
      mode: 'sandbox',
      cardWireName: 'stripe',
    })
  })

  it('by card under a second name, in the sandbox too', () => {
    const second = { PERIGEE_CARD_SECOND_WIRE_NAME: 'stripe' }
    assert.deepEqual(readConfig({ PERIGEE_PAYMENTS: 'sandbox', ...second }).payments, {
      mode: 'sandbox',
      cardWireName: 'card',
      secondWireName: 'stripe',
    })
    const { payments } = readConfig({ ...live, ...stripe, ...second })
    assert.equal(payments.mode === 'live' && payments.card?.secondWireName, 'stripe')
  })

  it('by card', () => {
    assert.deepEqual(readConfig({ ...live, ...stripe }).payments, {
      mode: 'live',
      card: {
        wireName: 'card',
        secretKey: 'sk_test_1234567890',
        profile: 'profile_1',
        url: 'https://api.stripe.com',
      },
      chain: null,
    })
  })

  it('by card, at another address', () => {
    const { payments } = readConfig({ ...live, ...stripe, PERIGEE_STRIPE_URL: 'http://127.0.0.1:12111/' })
    assert.equal(payments.mode === 'live' && payments.card?.url, 'http://127.0.0.1:12111')
  })

  it('by a chain alone', () => {
    assert.deepEqual(readConfig({ ...live, ...chain }).payments, {
      mode: 'live',
      card: null,
      chain: {
        wireName: 'chain',
        rpcUrl: 'https://rpc.example/v1/key',
        chainId: 8453,
        isTestnet: false,
        token: { address: token, name: 'USD Coin', version: '2', decimals: 6 },
        recipient,
        relayerKey,
        minimumCents: 1,
        confirmations: 1,
      },
    })
  })

  const refused: [what: string, environment: Record<string, string>, problem: RegExp][] = [
    ['no way to be paid', live, /no way to be paid/],
    ['Stripe without a profile', { ...stripe, PERIGEE_STRIPE_PROFILE: '' }, /PERIGEE_STRIPE_PROFILE is missing/],
    ['Stripe without a key', { ...stripe, PERIGEE_STRIPE_SECRET_KEY: '' }, /PERIGEE_STRIPE_SECRET_KEY is missing/],
    [
      'a chain without a recipient and a relayer',
      { ...chain, PERIGEE_CHAIN_RECIPIENT: '', PERIGEE_CHAIN_RELAYER_KEY: '' },
      /PERIGEE_CHAIN_RECIPIENT, PERIGEE_CHAIN_RELAYER_KEY are missing/,
    ],
    ['one name for both', { PERIGEE_CHAIN_WIRE_NAME: 'card' }, /must differ/],
    ['the name of cards for their second', { PERIGEE_CARD_SECOND_WIRE_NAME: 'card' }, /SECOND_WIRE_NAME must differ/],
    ['the name of the chain for it', { PERIGEE_CARD_SECOND_WIRE_NAME: 'chain' }, /SECOND_WIRE_NAME must differ/],
    ['a name with a digit', { PERIGEE_CARD_WIRE_NAME: 'card2' }, /PERIGEE_CARD_WIRE_NAME must be/],
    ['a publishable key', { ...stripe, PERIGEE_STRIPE_SECRET_KEY: 'pk_test_1234567890' }, /18 characters that are not/],
    ['an address with a path', { PERIGEE_STRIPE_URL: 'https://api.example/v1' }, /PERIGEE_STRIPE_URL must be/],
    ['a short token', { ...chain, PERIGEE_CHAIN_TOKEN: '0x833589' }, /PERIGEE_CHAIN_TOKEN must be/],
    ['a short relayer key', { ...chain, PERIGEE_CHAIN_RELAYER_KEY: '0x1234' }, /6 characters that are not shown/],
    ['an RPC address of another scheme', { ...chain, PERIGEE_CHAIN_RPC_URL: 'wss://rpc.example/k' }, /19 characters/],
    ['a token of one decimal', { ...chain, PERIGEE_CHAIN_TOKEN_DECIMALS: '1' }, /from 2 to 18/],
    ['no confirmation', { ...chain, PERIGEE_CHAIN_CONFIRMATIONS: '0' }, /from 1 to 64/],
  ]
  for (const [what, environment, problem] of refused)
    it(`${what} ends the start with a line`, () => {
      const [first, ...others] = problemsOf(environment)
      assert.match(first ?? '', problem)
      assert.deepEqual(others, [])
    })
})
