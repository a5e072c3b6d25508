import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { readClaimAttempt } from '#operations/people/claims.ts'
import { agentBench, alice, readBlock, textOf } from '../../test/support/agents.ts'

describe('the claim ceremony', async () => {
  const bench = await agentBench()
  const { api } = bench

  async function register(): Promise<{ claimToken: string; claim: unknown }> {
    const { body } = await bench.identity({ type: 'service_auth', login_hint: alice.email })
    return { claimToken: textOf(body, 'claim_token'), claim: body['claim'] }
  }
  const errorOf = async (claimToken: string): Promise<unknown> => (await bench.poll(claimToken)).body['error']
  const read = (claim: unknown, person = alice) =>
    readClaimAttempt(api.services, { attemptToken: readBlock(claim).attemptToken, person, now: bench.now() })

  it('is polled every five seconds, and slower for good after each poll that came too early', async () => {
    const { claimToken } = await register()
    assert.equal(await errorOf(claimToken), 'authorization_pending')
    bench.wait(5)
    assert.equal(await errorOf(claimToken), 'authorization_pending')
    bench.wait(4)
    assert.equal(await errorOf(claimToken), 'slow_down')
    bench.wait(9)
    assert.equal(await errorOf(claimToken), 'slow_down', 'ten seconds by now')
    bench.wait(14)
    assert.equal(await errorOf(claimToken), 'slow_down', 'fifteen')
    bench.wait(20)
    assert.equal(await errorOf(claimToken), 'authorization_pending', 'twenty')
    bench.wait(15)
    assert.equal(await errorOf(claimToken), 'slow_down', 'twenty stays')
  })

  it('begins its pace anew with another code', async () => {
    const { claimToken } = await register()
    await bench.poll(claimToken)
    await bench.poll(claimToken)
    await bench.claim({ claim_token: claimToken, email: alice.email })
    assert.equal(await errorOf(claimToken), 'authorization_pending')
    bench.wait(5)
    assert.equal(await errorOf(claimToken), 'authorization_pending')
  })

  it('hands out its success once, whatever the pace', async () => {
    const { claimToken, claim } = await register()
    await bench.poll(claimToken)
    assert.equal((await bench.complete(claim)).type, 'claimed')
    const { status, body } = await bench.poll(claimToken)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), [
      'access_token',
      'assertion_expires',
      'expires_in',
      'identity_assertion',
      'scope',
      'token_type',
    ])
    assert.equal(await bench.account(textOf(body, 'access_token')), 200)
    assert.equal(await errorOf(claimToken), 'invalid_grant')
    assert.equal((await bench.exchange(textOf(body, 'identity_assertion'))).status, 200)
  })

  it('hands out its success once under twenty polls at once', async () => {
    const { claimToken, claim } = await register()
    await bench.complete(claim)
    const answers = await Promise.all(Array.from({ length: 20 }, () => bench.poll(claimToken)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ body }) => body['error'] === 'invalid_grant').length, 19)
  })

  it('completes once under ten who type the code at once, and tells the others so', async () => {
    const { claim } = await register()
    const { body } = await bench.identity({ type: 'anonymous' })
    const started = await bench.claim({ claim_token: textOf(body, 'claim_token'), email: alice.email })
    for (const link of [claim, started.body['claim_attempt']]) {
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => bench.complete(link)))
      assert.deepEqual(
        outcomes.map(({ type }) => type).toSorted(),
        ['claimed', ...Array.from({ length: 9 }, () => 'done')].toSorted(),
      )
    }
  })

  it('takes the code with the spaces and dashes that people type', async () => {
    const { claim } = await register()
    const { userCode } = readBlock(claim)
    const typed = ` ${userCode.slice(0, 3)} - ${userCode.slice(3)} `
    assert.equal((await bench.complete(claim, { userCode: typed })).type, 'claimed')
  })

  it('locks its link after five wrong codes, for the right one too, until there is another link', async () => {
    const { claimToken, claim } = await register()
    for (const triesLeft of [4, 3, 2, 1, 0])
      assert.deepEqual(await bench.complete(claim, { userCode: wrong(claim) }), { type: 'wrong_code', triesLeft })
    assert.deepEqual(await bench.complete(claim), { type: 'locked' })
    assert.deepEqual(await read(claim), { state: 'locked', asks: null })
    assert.equal(await errorOf(claimToken), 'expired_token')
    const { body } = await bench.claim({ claim_token: claimToken, email: alice.email })
    assert.equal((await bench.complete(body['claim_attempt'])).type, 'claimed')
    assert.equal((await bench.poll(claimToken)).status, 200)
  })

  it('counts wrong codes exactly when they are typed at once', async () => {
    const { claim } = await register()
    const userCode = wrong(claim)
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => bench.complete(claim, { userCode })))
    assert.equal(outcomes.filter(({ type }) => type === 'wrong_code').length, 5)
    assert.equal(outcomes.filter(({ type }) => type === 'locked').length, 7)
  })

  it('counts what is no code as a wrong one', async () => {
    const { claim } = await register()
    for (const userCode of ['', 'abcdef', '12345', '1234567'])
      assert.equal((await bench.complete(claim, { userCode })).type, 'wrong_code')
  })

  it('ends its code after ten minutes', async () => {
    const { claimToken, claim } = await register()
    bench.wait(599)
    assert.equal((await read(claim)).state, 'open')
    bench.wait(1)
    assert.deepEqual(await bench.complete(claim), { type: 'expired' })
    assert.equal(await errorOf(claimToken), 'expired_token')
    assert.equal((await bench.claim({ claim_token: claimToken, email: alice.email })).status, 200)
    assert.equal(await errorOf(claimToken), 'authorization_pending')
  })

  it('ends with its claim token after seven days', async () => {
    const { claimToken, claim } = await register()
    await bench.complete(claim)
    bench.wait(7 * 86_400)
    assert.equal(await errorOf(claimToken), 'expired_token')
    assert.equal((await bench.claim({ claim_token: claimToken, email: alice.email })).status, 410)
  })

  it('forgets a link and its code when another one is made', async () => {
    const { claimToken, claim } = await register()
    const { body } = await bench.claim({ claim_token: claimToken, email: alice.email })
    assert.deepEqual(Object.keys(body).toSorted(), [
      'claim_attempt',
      'claim_attempt_id',
      'expires_at',
      'registration_id',
      'status',
    ])
    assert.match(textOf(body, 'claim_attempt_id'), /^cla_[0-9a-f]{32}$/)
    assert.equal(body['status'], 'initiated')
    assert.equal(Date.parse(textOf(body, 'expires_at')), bench.now().getTime() + 600_000)
    assert.deepEqual(await bench.complete(claim), { type: 'expired' })
    assert.deepEqual(await read(claim), { state: 'expired', asks: null })
    const { userCode } = readBlock(claim)
    const isSame = userCode === readBlock(body['claim_attempt']).userCode
    if (!isSame) assert.equal((await bench.complete(body['claim_attempt'], { userCode })).type, 'wrong_code')
    assert.equal((await bench.complete(body['claim_attempt'])).type, 'claimed')
  })

  const strangers = [
    { what: 'another person', person: { ...alice, id: randomUUID(), email: 'eve@example.com' } },
    { what: 'somebody who has not verified the address', person: { ...alice, isEmailVerified: false } },
  ]
  for (const { what, person } of strangers)
    it(`tells ${what} nothing, and takes no code from them`, async () => {
      const { claimToken, claim } = await register()
      assert.deepEqual(await read(claim, person), { state: 'wrong_person', asks: null })
      assert.deepEqual(await bench.complete(claim, { person }), { type: 'wrong_person' })
      assert.equal(await errorOf(claimToken), 'authorization_pending')
      assert.equal((await bench.complete(claim)).type, 'claimed')
    })

  it('knows its person in any letter case', async () => {
    const { claim } = await register()
    assert.equal((await bench.complete(claim, { person: { ...alice, email: 'ALICE@Example.Com' } })).type, 'claimed')
  })

  it('tells its person who asks for what', async () => {
    const person = { ...alice, id: randomUUID() }
    const { body } = await bench.identity({ type: 'anonymous' })
    const started = await bench.claim({ claim_token: textOf(body, 'claim_token'), email: alice.email })
    const { state, asks } = await read(started.body['claim_attempt'], person)
    assert.equal(state, 'open')
    assert.deepEqual(asks?.advisories, ['first_agent', 'nobody_vouches', 'moves_workspace'])
    const nothing = { name: '', monitors: 0, incidents: 0, tokens: 0, contacts: [], creditCents: 0 }
    assert.deepEqual({ ...asks?.workspace, name: '' }, nothing)
    assert.equal(asks?.triesLeft, 5)
    assert.match(asks?.agentName ?? '', /^Agent [0-9a-f]{6}$/)
  })

  it('knows no link that it did not make', async () => {
    const view = await readClaimAttempt(api.services, { attemptToken: 'cat_x', person: alice, now: bench.now() })
    assert.deepEqual(view, { state: 'expired', asks: null })
  })

  it('ends what an anonymous agent held before, and begins anew in the workspace of its person', async () => {
    const { body } = await bench.identity({ type: 'anonymous' })
    const claimToken = textOf(body, 'claim_token')
    assert.equal(await errorOf(claimToken), 'expired_token', 'there is no code yet')
    const { body: before } = await bench.exchange(textOf(body, 'identity_assertion'))
    const started = await bench.claim({ claim_token: claimToken, email: alice.email })
    assert.equal(await bench.account(textOf(before, 'access_token')), 200, 'it goes on meanwhile')
    await bench.complete(started.body['claim_attempt'])
    assert.equal(await bench.account(textOf(before, 'access_token')), 401)
    for (const assertion of [textOf(body, 'identity_assertion'), textOf(before, 'identity_assertion')])
      assert.equal((await bench.exchange(assertion)).body['error'], 'invalid_grant')
    const { body: after } = await bench.poll(claimToken)
    assert.equal(await bench.account(textOf(after, 'access_token')), 200)
    const account = await api.get('/account', { token: textOf(after, 'access_token') })
    assert.match(account.text, /"plan":"pro"/)
  })

  it('lets an anonymous agent name another person, and ends the link of the first', async () => {
    const { body } = await bench.identity({ type: 'anonymous' })
    const claim_token = textOf(body, 'claim_token')
    const first = await bench.claim({ claim_token, email: 'bob@example.com' })
    const second = await bench.claim({ claim_token, email: alice.email })
    assert.deepEqual(await bench.complete(first.body['claim_attempt']), { type: 'expired' })
    assert.equal((await bench.complete(second.body['claim_attempt'])).type, 'claimed')
  })
})

function wrong(claim: unknown): string {
  return readBlock(claim).userCode === '000000' ? '000001' : '000000'
}
