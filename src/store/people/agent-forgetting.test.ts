import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { defaultPlans } from '#core/money/plan.ts'
import { agentBench, alice, publicUrl, textOf } from '../../../test/support/agents.ts'
import { startIssuer } from '../../../test/support/issuer.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { forgetAgents } from './agent-forgetting.ts'
import { createToken } from '../../../test/support/tokens.ts'

const plans = { ...defaultPlans, pay_as_you_go: { ...defaultPlans.pay_as_you_go, slots: 5 } }
const day = 86_400

describe('what agents can use no more', async () => {
  const issuer = await startIssuer(publicUrl)
  const bench = await agentBench({ issuers: [issuer], services: { plans } })
  const { api } = bench
  const forget = (): Promise<number> => forgetAgents(api.database, bench.now())
  const registrations = async (): Promise<number> =>
    (await api.database.query.selectFrom('agent_registrations').select('id').execute()).length

  const workspaces = async (): Promise<string[]> =>
    (await api.database.query.selectFrom('workspaces').select('id').execute()).map(({ id }) => id)

  type Left = { workspaceId: string; token: string }

  async function leave(): Promise<Left> {
    const { body } = await bench.identity({ type: 'anonymous' })
    const { body: granted } = await bench.exchange(textOf(body, 'identity_assertion'))
    const { id: workspaceId } = z.object({ id: z.uuid() }).parse(body['workspace'])
    return { workspaceId, token: textOf(granted, 'access_token') }
  }

  async function pay(workspaceId: string): Promise<void> {
    await api.database.pool.query(
      `insert into payments (id, workspace_id, method, reference, amount_cents, purpose, net_cents, vat_cents, vat_rate,
        vat_treatment, livemode, receipt_number, receipt, created_at)
      values ($1, $2, 'card', 'pi_1', 60, 'monitor', 50, 10, 20, 'domestic', true, 1, '{}', now())`,
      [randomUUID(), workspaceId],
    )
  }

  /** Given and spent: nothing is left of it but what was. */
  async function credit(workspaceId: string): Promise<void> {
    for (const [position, before, amount] of [
      [1, 0, 10],
      [2, 10, -10],
    ])
      await api.database.pool.query(
        `insert into credit_transactions (id, workspace_id, position, previous_balance_cents, amount_cents,
          balance_cents, reason, inserted_at)
        values ($1, $2, $3, $4::bigint, $5::bigint, $4 + $5, 'monitor', now())`,
        [randomUUID(), workspaceId, position, before, amount],
      )
  }

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
    assert.equal(await forget(), 2, 'the token, and the one that came with the registration')
    assert.match((await api.get('/account', { token })).text, /invalid_api_key/)
    const claimError = async (): Promise<unknown> =>
      (await bench.claim({ claim_token: textOf(body, 'claim_token') })).body['error']
    bench.wait(13 * day - 3601)
    assert.equal(await forget(), 0)
    assert.equal(await claimError(), 'claim_expired', 'what ended is told for as long as it had lived')
    bench.wait(1)
    assert.equal(await registrations(), 3)
    assert.equal(await forget(), 2, 'the registrations of people who never came')
    assert.equal(await claimError(), 'invalid_claim_token')
    assert.equal(
      (await bench.exchange(textOf(granted, 'identity_assertion'))).status,
      200,
      'the anonymous one lives on',
    )
    bench.wait(97 * day - 1)
    await forget()
    assert.equal(await registrations(), 1)
    bench.wait(1)
    await forget()
    assert.equal(await registrations(), 0)
    assert.deepEqual(await workspaces(), [api.workspaceId], 'an anonymous workspace that is empty is gone')
  })

  it('includes a workspace that nobody can come into any more, with its contacts and its past', async () => {
    const left = await leave()
    const monitor = await createMonitor(api, {}, left.token)
    const contact = { name: 'Hook', kind: 'webhook', destination: 'https://hook.example/' }
    assert.equal((await api.post('/alert-channels', contact, { token: left.token })).status, 201)
    await api.database.pool.query(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, resolved_at)
      values ($1, $2, $3, 'Shop', 'resolved', 'Shop is down', now(), now())`,
      [randomUUID(), left.workspaceId, monitor.id],
    )
    assert.equal((await api.request('DELETE', `/monitors/${monitor.id}`, { token: left.token })).status, 204)
    bench.wait(97 * day)
    await forget()
    assert.ok(!(await workspaces()).includes(left.workspaceId))
    const { rows } = await api.database.pool.query(
      'select id from alert_channels where workspace_id = $1 union select id from incidents where workspace_id = $1',
      [left.workspaceId],
    )
    assert.deepEqual(rows, [])
  })

  const keeping: [string, (left: Left) => Promise<unknown>][] = [
    ['watches something', ({ token }) => createMonitor(api, {}, token)],
    [
      'has a key that works',
      ({ workspaceId }) =>
        createToken(api.database, { workspaceId, name: 'Key', scope: 'read', expiresAt: null }, bench.now()),
    ],
    ['was paid for, even once', ({ workspaceId }) => pay(workspaceId)],
    [
      'is being paid for',
      ({ workspaceId }) =>
        api.database.pool.query(
          `insert into payment_attempts (id, purpose_hash, challenge_id, payload_hash, method, workspace_id,
            is_new_workspace, amount_cents, purpose, description, state, created_at, asked_at)
          values (gen_random_uuid(), '', 'x', '', 'card', $1, false, 50, 'credit', '', 'settling', now(), now())`,
          [workspaceId],
        ),
    ],
    ['had credit', ({ workspaceId }) => credit(workspaceId)],
  ]
  for (const [what, arrange] of keeping)
    it(`does not include a workspace that ${what}`, async () => {
      const left = await leave()
      await arrange(left)
      bench.wait(400 * day)
      await forget()
      assert.ok((await workspaces()).includes(left.workspaceId))
    })

  it('does not include an identity that is linked', async () => {
    const vouched = await bench.vouched(await issuer.assertion(bench.now()))
    assert.equal((await bench.complete(vouched.body['claim'])).type, 'claimed')
    bench.wait(400 * day)
    await forget()
    assert.equal((await bench.vouched(await issuer.assertion(bench.now()))).status, 200)
  })

  it('includes an agent whose last assertion has ended', async () => {
    const before = await registrations()
    const { body } = await bench.identity({ type: 'service_auth', login_hint: alice.email })
    await bench.complete(body['claim'])
    await bench.poll(textOf(body, 'claim_token'))
    bench.wait(97 * day - 1)
    await forget()
    assert.equal(await registrations(), before + 1)
    bench.wait(1)
    await forget()
    assert.equal(await registrations(), before)
  })
})
