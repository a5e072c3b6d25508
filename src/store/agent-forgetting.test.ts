import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultPlans } from '#core/plan.ts'
import { agentBench, alice, publicUrl, textOf } from '../../test/support/agents.ts'
import { startIssuer } from '../../test/support/issuer.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { forgetAgents } from './agent-forgetting.ts'

const plans = { ...defaultPlans, pay_as_you_go: { ...defaultPlans.pay_as_you_go, slots: 5 } }
const day = 86_400

describe('what agents can use no more', async () => {
  const issuer = await startIssuer(publicUrl)
  const bench = await agentBench({ issuers: [issuer], services: { plans } })
  const { api } = bench
  const forget = (): Promise<number> => forgetAgents(api.database, bench.now())
  const registrations = async (): Promise<number> =>
    (await api.database.query.selectFrom('agent_registrations').select('id').execute()).length

  it('is removed: tokens after a day, assertions that were seen, registrations that nobody claimed', async () => {
    const { body } = await bench.identity({ type: 'service_auth', login_hint: alice.email })
    await bench.vouched(await issuer.assertion(bench.now()))
    const anonymous = await bench.identity({ type: 'anonymous' })
    const { body: granted } = await bench.exchange(textOf(anonymous.body, 'identity_assertion'))
    const token = textOf(granted, 'access_token')
    assert.equal(await forget(), 0)
    bench.wait(600)
    assert.equal(await forget(), 1, 'the assertion that was seen')
    bench.wait(3000)
    assert.match((await api.get('/account', { token })).text, /token_expired/)
    bench.wait(day)
    assert.equal(await forget(), 1, 'the token')
    assert.match((await api.get('/account', { token })).text, /invalid_api_key/)
    bench.wait(6 * day - 3600)
    assert.equal(await registrations(), 3)
    assert.equal(await forget(), 2, 'the registrations of people who never came')
    assert.equal((await bench.claim({ claim_token: textOf(body, 'claim_token') })).body['error'], 'invalid_claim_token')
    assert.equal(
      (await bench.exchange(textOf(granted, 'identity_assertion'))).status,
      200,
      'the anonymous one lives on',
    )
    bench.wait(90 * day)
    assert.ok((await forget()) >= 1)
    assert.equal(await registrations(), 0)
    const workspaces = await api.database.query.selectFrom('workspaces').select('id').execute()
    assert.deepEqual(workspaces, [{ id: api.workspaceId }], 'an anonymous workspace that is empty is gone')
  })

  it('does not include a workspace that has something, nor an identity that is linked', async () => {
    const { body } = await bench.identity({ type: 'anonymous' })
    const { body: granted } = await bench.exchange(textOf(body, 'identity_assertion'))
    const monitor = await createMonitor(api, {}, textOf(granted, 'access_token'))
    const vouched = await bench.vouched(await issuer.assertion(bench.now()))
    assert.equal((await bench.complete(vouched.body['claim'])).type, 'claimed')
    bench.wait(100 * day)
    await forget()
    assert.equal(await registrations(), 2)
    const kept = await api.database.query.selectFrom('monitors').select('id').where('id', '=', monitor.id).execute()
    assert.equal(kept.length, 1)
    assert.equal((await bench.vouched(await issuer.assertion(bench.now()))).status, 200)
  })

  it('includes an agent whose last assertion has ended', async () => {
    const before = await registrations()
    const { body } = await bench.identity({ type: 'service_auth', login_hint: alice.email })
    await bench.complete(body['claim'])
    await bench.poll(textOf(body, 'claim_token'))
    bench.wait(90 * day - 1)
    await forget()
    assert.equal(await registrations(), before + 1)
    bench.wait(1)
    await forget()
    assert.equal(await registrations(), before)
  })
})
