import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { agentBench, publicUrl } from '../../test/support/agents.ts'
import { startIssuer, type TestIssuer } from '../../test/support/issuer.ts'

describe('the key set of a provider', () => {
  it('is fetched once for many assertions, also when they come at once', async () => {
    const { issuer, ask } = await setUp()
    const errors = await Promise.all([ask(), ask(), ask()])
    assert.deepEqual(
      [...errors, await ask()],
      Array.from({ length: 4 }, () => 'interaction_required'),
    )
    assert.equal(issuer.fetches(), 1)
  })

  it('is fetched once for many that bring a new key at once', async () => {
    const { issuer, bench, ask } = await setUp()
    await ask()
    bench.wait(30)
    await issuer.rotate()
    const errors = await Promise.all(Array.from({ length: 6 }, ask))
    assert.deepEqual(
      errors,
      Array.from({ length: 6 }, () => 'interaction_required'),
    )
    assert.equal(issuer.fetches(), 2)
  })

  it('is fetched again after ten minutes', async () => {
    const { issuer, bench, ask } = await setUp()
    await ask()
    bench.wait(599)
    await ask()
    assert.equal(issuer.fetches(), 1)
    bench.wait(1)
    await ask()
    assert.equal(issuer.fetches(), 2)
  })

  it('is fetched again for a key that is not in it, but not for every one', async () => {
    const { issuer, bench, ask } = await setUp()
    await ask()
    bench.wait(30)
    await issuer.rotate()
    assert.equal(await ask(), 'interaction_required')
    assert.equal(issuer.fetches(), 2)
    await issuer.rotate()
    for (let count = 0; count < 5; count += 1) assert.equal(await ask(), 'invalid_signature')
    assert.equal(issuer.fetches(), 2, 'a moment ago')
    bench.wait(30)
    assert.equal(await ask(), 'interaction_required')
  })

  const failures: [string, NonNullable<Parameters<TestIssuer['react']>[0]>][] = [
    ['fails', { status: 500, body: '' }],
    ['is no JSON', { status: 200, body: '<html>' }],
    ['is no key set', { status: 200, body: '{"keys":"none"}' }],
    ['is too large', { status: 200, body: JSON.stringify({ keys: [], padding: 'x'.repeat(300_000) }) }],
    [
      'has too many keys',
      { status: 200, body: JSON.stringify({ keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) }) },
    ],
    ['leads elsewhere', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
  ]
  for (const [what, answer] of failures)
    it(`that ${what} is a failure for the moment`, async () => {
      const { issuer, bench, ask } = await setUp()
      issuer.react(answer)
      const refused = await bench.vouched(await issuer.assertion(bench.now()))
      assert.equal(refused.status, 503, refused.text)
      assert.equal(refused.body['error'], 'temporarily_unavailable')
      assert.equal(refused.headers.get('retry-after'), '30')
      issuer.react(null)
      assert.equal(await ask(), 'temporarily_unavailable', 'it is not asked at every request')
      assert.equal(issuer.fetches(), 1)
      bench.wait(30)
      assert.equal(await ask(), 'interaction_required')
    })

  it('that holds a key which is none refuses, and does not fail', async () => {
    const { issuer, bench, ask } = await setUp()
    issuer.react({ status: 200, body: JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: '!', y: '!' }] }) })
    assert.equal(await ask(), 'invalid_signature')
    bench.wait(0)
  })

  it('counts for an hour while the provider cannot be reached', async () => {
    const { issuer, bench, ask } = await setUp()
    await ask()
    issuer.react({ status: 503, body: '' })
    bench.wait(3599)
    assert.equal(await ask(), 'interaction_required')
    bench.wait(60)
    assert.equal(await ask(), 'temporarily_unavailable')
  })
})

async function setUp() {
  const issuer = await startIssuer(publicUrl)
  const bench = await agentBench({ issuers: [issuer] })
  const ask = async (): Promise<unknown> => (await bench.vouched(await issuer.assertion(bench.now()))).body['error']
  return { issuer, bench, ask }
}
