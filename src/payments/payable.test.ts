import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StartError } from '#store/database/start-error.ts'
import type { ChainOptions } from './chain.ts'
import { assertPayable } from './payable.ts'

const chain: ChainOptions = {
  wireName: 'chain',
  rpcUrl: 'http://127.0.0.1:1',
  chainId: 8453,
  isTestnet: false,
  token: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', name: 'USD Coin', version: '2', decimals: 6 },
  recipient: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  relayerKey: `0x${'1'.repeat(64)}`,
  minimumCents: 1,
  confirmations: 1,
}

describe('a start with a chain', () => {
  it('takes addresses with check digits, and in lower case, which has none', async () => {
    await assertPayable({ mode: 'live', card: null, chain })
    await assertPayable({ mode: 'off' })
  })

  it('refuses a recipient whose letters are wrong', async () => {
    const recipient = '0x833589fcD6eDb6E08f4c7C32D4f71b54bdA02913'
    const started = assertPayable({ mode: 'live', card: null, chain: { ...chain, recipient } })
    await assert.rejects(
      started,
      (error) => error instanceof StartError && /PERIGEE_CHAIN_RECIPIENT/.test(error.message),
    )
  })

  it('refuses a token whose letters are wrong', async () => {
    const token = { ...chain.token, address: '0x833589fcD6eDb6E08f4c7C32D4f71b54bdA02913' } as const
    const started = assertPayable({ mode: 'live', card: null, chain: { ...chain, token } })
    await assert.rejects(started, /PERIGEE_CHAIN_TOKEN/)
  })
})
