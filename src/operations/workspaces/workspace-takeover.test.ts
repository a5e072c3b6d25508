import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { readCredit } from '#store/money/credit.ts'
import { revokeToken, type TokenScope } from '#store/people/tokens.ts'
import { createToken } from '../../../test/support/tokens.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import { agentsAt, textOf } from '../../../test/support/agents.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { addPayment } from '../../../test/support/payments.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'
import { defaultPlans } from '#core/money/plan.ts'
import { addMember } from '#store/people/members.ts'

const plans = { ...defaultPlans, pay_as_you_go: { ...defaultPlans.pay_as_you_go, slots: 50 } }

describe('taking a workspace over by its key', async () => {
  const people = await peopleApi({ services: { plans }, maxConnections: 12 })
  const { api } = people
  const { database } = api
  const { browser, workspaceId, personId } = await people.newcomer('taker@example.com')
  const take = (key: string) =>
    browser.api('POST', '/workspace/takeover', { workspace: workspaceId, body: { api_key: key } })
  const view = (key: string) =>
    browser.api('POST', '/workspace/takeover/view', { workspace: workspaceId, body: { api_key: key } })
  const inbox = { field: 'api_key' }

  /** The key and the workspace that a caller without an account gets by paying. */
  async function paidFor(scope: TokenScope = 'write', plan = 'pay_as_you_go', expiresAt: Date | null = null) {
    const id = randomUUID()
    await createWorkspace(database, { id, name: 'Made by paying', plan })
    const key = await createToken(database, { workspaceId: id, name: 'Key', scope, expiresAt }, new Date())
    return { id, key: key.text, tokenId: key.id }
  }

  it('moves all that was made, and the key goes on working', async () => {
    const { id, key } = await paidFor()
    const payment = await addPayment(database, { workspaceId: id })
    const monitor = await createMonitor(api, {}, key)
    const before = await readCredit(database, workspaceId)
    const answer = await take(` ${key}\n`)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, {
      data: { name: 'Made by paying', monitors: 1, incidents: 0, tokens: 1, contacts: [], credit_cents: 50 },
    })
    const own = (path: string) => browser.api('GET', path, { workspace: workspaceId })
    assert.match((await own('/monitors')).text, new RegExp(monitor.id))
    assert.match((await own('/payments')).text, new RegExp(payment.id))
    assert.match((await own('/api-tokens')).text, /"name":"Key"/)
    assert.equal(await readCredit(database, workspaceId), before + 50)
    assert.equal((await api.get(`/monitors/${monitor.id}`, { token: key })).status, 200)
    const { rows } = await database.pool.query('select closed_reason from workspaces where id = $1', [id])
    assert.deepEqual(rows, [{ closed_reason: 'claimed' }])
    const log = (await own('/audit-entries?limit=1')).text
    assert.match(
      log,
      /"action":"take_over_workspace","target":\{"kind":"workspace","id":"[^"]*","name":"Made by paying"/,
    )
    assert.ok(!log.includes(key))
    assert.deepEqual(refusalOf(await take(key)), [422, 'validation_failed', inbox.field], 'it is one’s own by now')
  })

  it('tells before what would move, and changes nothing by that', async () => {
    const { id, key } = await paidFor()
    await addPayment(database, { workspaceId: id })
    await createMonitor(api, {}, key)
    const entries = async () =>
      (await database.pool.query('select 1 from audit_entries where workspace_id = $1', [workspaceId])).rowCount
    const had = await entries()
    const viewed = await view(` ${key}\n`)
    assert.equal(viewed.status, 200, viewed.text)
    assert.equal(await readCredit(database, id), 50)
    assert.equal(await entries(), had)
    assert.deepEqual((await take(key)).body, viewed.body)
    assert.deepEqual(refusalOf(await view(key)), [422, 'validation_failed', inbox.field], 'it is one’s own by now')
  })

  it('happens once, whoever pastes the key at the same time', async () => {
    const { id, key } = await paidFor()
    await addPayment(database, { workspaceId: id })
    const before = await readCredit(database, workspaceId)
    const answers = await Promise.all(Array.from({ length: 6 }, () => take(key)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 422).length, 5)
    assert.equal(await readCredit(database, workspaceId), before + 50)
  })

  it('disconnects the agent that acted there', async () => {
    const agents = agentsAt(api, null)
    const { body } = await agents.identity({ type: 'anonymous' })
    const { body: granted } = await agents.exchange(textOf(body, 'identity_assertion'))
    const token = textOf(granted, 'access_token')
    const { rows } = await database.pool.query<{ id: string }>(
      'select workspace_id as id from agent_registrations order by created_at desc limit 1',
    )
    const from = rows[0]?.id ?? assert.fail()
    const key = { workspaceId: from, name: 'Key', scope: 'write', expiresAt: null } as const
    const { text } = await createToken(database, key, new Date())
    assert.equal(await agents.account(token), 200)
    assert.equal((await take(text)).status, 200)
    assert.equal(await agents.account(token), 401)
    assert.equal((await agents.exchange(textOf(body, 'identity_assertion'))).body['error'], 'invalid_grant')
    assert.equal((await agents.claim({ claim_token: textOf(body, 'claim_token'), email: 'a@example.com' })).status, 401)
  })

  const keys = [
    ['is no key', async () => 'hello'],
    ['is empty', async () => ''],
    ['is unknown', async () => `pgk_${'x'.repeat(40)}`],
    ['is of read scope', async () => (await paidFor('read')).key],
    ['has expired', async () => (await paidFor('write', 'pay_as_you_go', new Date(Date.now() - 1000))).key],
    [
      'was revoked',
      async () => {
        const { id, key, tokenId } = await paidFor()
        await revokeToken(database, { workspaceId: id, tokenId, at: new Date() })
        return key
      },
    ],
    [
      'is of a workspace that was closed',
      async () => {
        const { id, key } = await paidFor()
        await database.pool.query(`update workspaces set closed_at = now(), closed_reason = 'revoked' where id = $1`, [
          id,
        ])
        return key
      },
    ],
  ] as const
  for (const [what, make] of keys)
    it(`refuses a key that ${what}`, async () => {
      const key = await make()
      for (const answer of [await view(key), await take(key)])
        assert.deepEqual(refusalOf(answer), [422, 'validation_failed', inbox.field])
    })

  it('refuses workspaces that belong to somebody, or to the installation', async () => {
    const own = await paidFor('write', 'free')
    const peopled = await paidFor()
    await database.transaction((tx) =>
      addMember(tx, { workspaceId: peopled.id, personId, role: 'viewer', at: new Date() }),
    )
    await database.pool.query(`update workspaces set plan = 'pay_as_you_go' where id = $1`, [api.workspaceId])
    for (const key of [own.key, peopled.key, api.token]) {
      for (const answer of [await view(key), await take(key)])
        assert.deepEqual([answer.status, codeOf(answer)], [422, 'limit_reached'])
      assert.equal((await api.get('/account', { token: key })).status, 200)
    }
  })

  it('is for owners alone', async () => {
    const { key } = await paidFor()
    const other = await people.newcomer('member@example.com')
    await database.transaction((tx) =>
      addMember(tx, { workspaceId, personId: other.personId, role: 'member', at: new Date() }),
    )
    for (const path of ['/workspace/takeover', '/workspace/takeover/view']) {
      const answer = await other.browser.api('POST', path, { workspace: workspaceId, body: { api_key: key } })
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'insufficient_role'])
      assert.equal((await api.post(path, { api_key: key })).status, 401, 'a token is no person')
    }
  })
})
