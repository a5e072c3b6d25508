import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const token = {
  network: 'eip155:8453',
  asset: `0x${'AB'.repeat(20)}`,
  name: 'USD Coin',
  version: '2',
  day_limit: '500000',
}
const canary = { PERIGEE_CANARY_KEY_FILE: '/keys/wallet', PERIGEE_CANARY_TOKENS: JSON.stringify([token]) }

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

describe('the settings of a canary', () => {
  it('name the file of the key, and the tokens with their limits', () => {
    const { day_limit: _limit, ...rest } = token
    assert.deepEqual(readConfig(canary).canary, {
      keyFile: '/keys/wallet',
      tokens: [{ ...rest, asset: token.asset.toLowerCase(), dayLimit: 500_000n }],
    })
    assert.equal(readConfig({}).canary, null)
  })

  it('are refused one without the other, and where strangers may have monitors', () => {
    for (const name of ['PERIGEE_CANARY_KEY_FILE', 'PERIGEE_CANARY_TOKENS'] as const)
      assert.match(problemsOf({ [name]: canary[name] }).join(), /must be set together/)
    assert.match(problemsOf({ ...canary, PERIGEE_SIGN_UP: 'open' }).join(), /needs a closed sign-up/)
    assert.match(problemsOf({ ...canary, PERIGEE_PAYMENTS: 'sandbox' }).join(), /PERIGEE_PAYMENTS=off/)
  })

  const wrong: [what: string, tokens: unknown][] = [
    ['no list', token],
    ['an empty list', []],
    ['a token twice', [token, { ...token, asset: token.asset.toLowerCase() }]],
    ['another kind of network', [{ ...token, network: 'solana:1' }]],
    ['an address that is none', [{ ...token, asset: '0xabc' }]],
    ['a limit of nothing', [{ ...token, day_limit: '0' }]],
    ['a limit that is a number', [{ ...token, day_limit: 5 }]],
    ['something else beside it', [{ ...token, decimals: 6 }]],
    ['more than 20', Array.from({ length: 21 }, (_, index) => ({ ...token, network: `eip155:${index + 1}` }))],
  ]
  for (const [what, tokens] of wrong)
    it(`are refused with ${what}`, () => {
      const problems = problemsOf({ ...canary, PERIGEE_CANARY_TOKENS: JSON.stringify(tokens) })
      assert.match(problems.join(), /^PERIGEE_CANARY_TOKENS must be a JSON list of up to 20 tokens/)
    })
})
