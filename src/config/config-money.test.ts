import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const seller = {
  PERIGEE_SELLER_NAME: 'Perigee OOD',
  PERIGEE_SELLER_ADDRESS: '1 Street\n1000 Sofia',
  PERIGEE_SELLER_COUNTRY: 'BG',
  PERIGEE_SELLER_VAT_ID: 'BG175074752',
}

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

describe('the seller', () => {
  it('is an example company until one is named', () => {
    assert.deepEqual(readConfig({}).seller, {
      name: 'Example Company Ltd.',
      address: '1 Example Street, 1000 Sofia',
      country: 'BG',
      companyId: '000000000',
      vatId: 'BG000000000',
      isOssRegistered: false,
      needsConfirmedVatIds: false,
      euroRate: null,
    })
  })

  it('is who the configuration names, without anything of the example', () => {
    const more = {
      PERIGEE_SELLER_OSS: 'true',
      PERIGEE_EURO_RATE: '0.8612@2026-11-20',
      PERIGEE_VIES_URL: 'https://vies.example/rest-api/',
    }
    const config = readConfig({ ...seller, ...more })
    assert.deepEqual(config.seller, {
      name: 'Perigee OOD',
      address: '1 Street\n1000 Sofia',
      country: 'BG',
      companyId: null,
      vatId: 'BG175074752',
      isOssRegistered: true,
      needsConfirmedVatIds: true,
      euroRate: { rate: '0.8612', date: '2026-11-20' },
    })
    assert.equal(config.viesUrl, 'https://vies.example/rest-api')
    assert.equal(readConfig({ ...seller, PERIGEE_SELLER_COMPANY_ID: '175074752' }).seller.companyId, '175074752')
  })

  const refused = [
    [
      'a name alone',
      { PERIGEE_SELLER_NAME: 'x' },
      /^PERIGEE_SELLER_NAME, .* must be set together\. PERIGEE_SELLER_ADDRESS, PERIGEE_SELLER_COUNTRY, PERIGEE_SELLER_VAT_ID must be set too\.$/,
    ],
    [
      'a seller without a VAT id',
      { ...seller, PERIGEE_SELLER_VAT_ID: '' },
      /\. PERIGEE_SELLER_VAT_ID must be set too\.$/,
    ],
    [
      'a VAT id of another country',
      { ...seller, PERIGEE_SELLER_COUNTRY: 'DE' },
      /^PERIGEE_SELLER_VAT_ID must belong to PERIGEE_SELLER_COUNTRY, which is DE; it is "BG175074752"\.$/,
    ],
    [
      'a seller outside the EU',
      { ...seller, PERIGEE_SELLER_COUNTRY: 'US' },
      /^PERIGEE_SELLER_COUNTRY must be the code of a member state/,
    ],
    [
      'a VAT id that is none',
      { ...seller, PERIGEE_SELLER_VAT_ID: '175074752' },
      /^PERIGEE_SELLER_VAT_ID must be a VAT id of the EU/,
    ],
    ['a rate without a day', { PERIGEE_EURO_RATE: '0.86' }, /^PERIGEE_EURO_RATE must be euro for a dollar and its day/],
    ['a rate of nothing', { PERIGEE_EURO_RATE: '0.00@2026-11-20' }, /^PERIGEE_EURO_RATE must/],
    ['a rate of a day that is none', { PERIGEE_EURO_RATE: '0.86@2026-02-30' }, /^PERIGEE_EURO_RATE must/],
    ['a rate below nothing', { PERIGEE_EURO_RATE: '-0.86@2026-11-20' }, /^PERIGEE_EURO_RATE must/],
    ['an OSS that is neither', { PERIGEE_SELLER_OSS: 'yes' }, /^PERIGEE_SELLER_OSS must be true or false/],
    [
      'a VIES that is no address',
      { PERIGEE_VIES_URL: 'ftp://x' },
      /^PERIGEE_VIES_URL must be the http:\/\/ or https:\/\/ address of VIES/,
    ],
  ] as const
  for (const [what, environment, problem] of refused)
    it(`is refused as ${what}`, () => {
      const problems = problemsOf(environment)
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', problem)
    })

  it('has to be named before money is taken, and stays an example while payments are only tried', () => {
    const needed = /^PERIGEE_PAYMENTS=live needs the seller for receipts: set PERIGEE_SELLER_NAME, /
    const live = {
      PERIGEE_PAYMENTS: 'live',
      PERIGEE_STRIPE_SECRET_KEY: 'sk_test_example1',
      PERIGEE_STRIPE_PROFILE: 'p_1',
    }
    assert.ok(problemsOf(live).some((problem) => needed.test(problem)))
    assert.ok(!problemsOf({ ...live, ...seller }).some((problem) => needed.test(problem)))
    assert.deepEqual(problemsOf({ PERIGEE_PAYMENTS: 'sandbox' }), [])
  })
})
