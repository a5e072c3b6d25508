import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultPlans } from '#core/money/plan.ts'
import type { Answer } from '../../../test/support/api.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import {
  type Market,
  answerTo,
  challengeOf,
  firstKeyOf,
  ledgerOf,
  market,
  pay,
  problemOf,
  receiptOf,
  send,
} from '../../../test/support/paying.ts'

const shop = { name: 'Shop', url: 'https://example.com' }
const request = { path: '/monitors', body: shop, token: null }

describe('a create without an account', async () => {
  const api = await market()

  it('is always paid, and begins a workspace whose key is shown once', async () => {
    const { asked, paid } = await pay(api, request)
    assert.partialDeepStrictEqual(asked.body, { amount_due: '0.01', quote: { billing: 'paid', credit_cents: 0 } })
    assert.equal(paid.status, 201)
    const { apiKey, workspaceId } = firstKeyOf(paid)
    assert.match(apiKey, /^pgk_/)
    assert.partialDeepStrictEqual(receiptOf(paid), { status: 'success', method: 'card' })
    assert.partialDeepStrictEqual((await api.get('/account', { token: apiKey })).body, {
      data: {
        plan: 'pay_as_you_go',
        paid_monitors: 1,
        credit_cents: 49,
        plan_monitors: { limit: 0, used: 0, free: 0 },
      },
    })
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 1, monitors: 1 })
    assert.equal((await createMonitor(api, {}, apiKey)).billing, 'paid')
    assert.equal((await ledgerOf(api, workspaceId)).creditCents, 48)
  })

  it('tells the audit log who did what', async () => {
    const { paid, credential } = await pay(api, { ...request, key: 'audited' })
    const { workspaceId } = firstKeyOf(paid)
    await send(api, { ...request, key: 'audited' }, credential)
    const { rows } = await api.database.pool.query<{ action: string; kind: string; actor: string; target: string }>(
      `select action, actor_kind as kind, actor_name as actor, target_kind as target
      from audit_entries where workspace_id = $1 order by at, action`,
      [workspaceId],
    )
    assert.deepEqual(rows, [
      { action: 'create_monitor', kind: 'token', actor: 'First key', target: 'monitor' },
      { action: 'create_workspace', kind: 'system', actor: 'Perigee', target: 'workspace' },
      { action: 'replace_api_token', kind: 'token', actor: 'First key', target: 'api_token' },
    ])
  })

  it('has the limits of agents', async () => {
    const refused = async (body: unknown) => refusalOf(await send(api, { ...request, body }))
    assert.deepEqual(await refused({ ...shop, interval_seconds: 59 }), [422, 'validation_failed', 'interval_seconds'])
    const group = { ...shop, kind: 'group', check_options: { member_ids: [crypto.randomUUID()] } }
    assert.deepEqual(await refused(group), [422, 'validation_failed', 'kind'])
    const contacts = { ...shop, alert_channel_ids: [crypto.randomUUID()] }
    assert.deepEqual(await refused(contacts), [422, 'validation_failed', 'alert_channel_ids'])
    const unknown = await send(api, { ...request, body: { ...shop, locations: ['mars'] } })
    assert.match(unknown.text, /Known are amsterdam, boston, chennai\./)
    assert.equal(
      problemOf(await send(api, { ...request, body: { ...shop, interval_seconds: 60 } })),
      'payment-required',
    )
  })

  it('is paid even where the plan of such workspaces has slots', async () => {
    const plans = { ...defaultPlans, pay_as_you_go: { ...defaultPlans.pay_as_you_go, slots: 5 } }
    const generous = await market({ services: { plans } })
    const { paid } = await pay(generous, request)
    assert.equal(monitorOf(paid).billing, 'paid')
  })

  it('gives the payer a new key for a lost answer, and ends the earlier one', async () => {
    const wish = { ...request, key: 'lost' }
    const { paid, credential } = await pay(api, wish)
    const first = firstKeyOf(paid)
    const again = await send(api, wish, credential)
    assert.equal(again.status, 200)
    const second = firstKeyOf(again)
    assert.equal(second.workspaceId, first.workspaceId)
    assert.deepEqual(refusalOf(await api.get('/account', { token: first.apiKey })), [401, 'invalid_api_key'])
    assert.equal((await api.get('/account', { token: second.apiKey })).status, 200)
    assert.partialDeepStrictEqual(await ledgerOf(api, first.workspaceId), { payments: 1, creditCents: 49, monitors: 1 })
  })

  it('gives nobody else a key', async () => {
    const wish = { ...request, key: 'coveted' }
    const [mine, theirs] = [await send(api, wish), await send(api, wish)]
    const paid = await send(api, wish, answerTo(challengeOf(mine)))
    const { apiKey } = firstKeyOf(paid)
    const others = {
      'another challenge': answerTo(challengeOf(theirs)),
      'the challenge without what was paid with': answerTo(challengeOf(mine), 'spt_test_declined'),
    }
    for (const [what, credential] of Object.entries(others)) {
      const replayed = await send(api, wish, credential)
      assert.equal(replayed.status, 200, what)
      assert.deepEqual(Object.keys(Object(replayed.body)), ['data'], what)
      assert.equal(receiptOf(replayed), null, what)
    }
    assert.equal(problemOf(await send(api, wish)), 'payment-required')
    assert.equal((await api.get('/account', { token: apiKey })).status, 200)
  })

  it('gives no key back that its workspace has revoked', async () => {
    const wish = { ...request, key: 'revoked' }
    const { paid, credential } = await pay(api, wish)
    const { workspaceId } = firstKeyOf(paid)
    await api.database.pool.query('update api_tokens set revoked_at = now() where workspace_id = $1', [workspaceId])
    const again = await send(api, wish, credential)
    assert.equal(again.status, 200)
    assert.deepEqual(Object.keys(Object(again.body)), ['data'])
  })

  it('many times at once makes one workspace with one monitor', { timeout: 60_000 }, async () => {
    const wish = { ...request, key: 'rush' }
    const credential = answerTo(challengeOf(await send(api, wish)))
    const before = await countWorkspaces(api)
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(api, wish, credential)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 200, 200, 200, 200, 201],
    )
    assert.equal(await countWorkspaces(api), before + 1)
    const workspaces = new Set(answers.map((answer) => firstKeyOf(answer).workspaceId))
    assert.equal(workspaces.size, 1)
    const [workspaceId = ''] = workspaces
    assert.partialDeepStrictEqual(await ledgerOf(api, workspaceId), { payments: 1, creditCents: 49, monitors: 1 })
  })

  it('that was not paid leaves nothing behind', async () => {
    const before = await countWorkspaces(api)
    const { paid } = await pay(api, { ...request, key: 'declined' }, 'spt_test_declined')
    assert.equal(problemOf(paid), 'verification-failed')
    assert.equal(await countWorkspaces(api), before)
  })

  it('is finished by a repeat when the processor did not answer', async () => {
    const wish = { ...request, key: 'slow' }
    const { paid, credential } = await pay(api, wish, 'spt_test_timeout')
    assert.equal(paid.status, 503)
    const again = await send(api, wish, credential)
    assert.equal(again.status, 201)
    assert.partialDeepStrictEqual(await ledgerOf(api, firstKeyOf(again).workspaceId), { payments: 1, monitors: 1 })
  })

  it('says where a heartbeat is called', async () => {
    const { paid } = await pay(api, { ...request, body: { name: 'Backup', kind: 'heartbeat' } })
    assert.match(paid.text, /"heartbeat_url":"http:\/\/perigee\.test\/ping\/[\w-]{32}"/)
  })
})

describe('a caller who sent something that names a caller', async () => {
  const api = await market()
  const named: [what: string, headers: Record<string, string>, error: string][] = [
    ['an unknown token', { 'X-API-Key': `pgk_${'x'.repeat(40)}` }, 'invalid_api_key'],
    ['an empty token', { 'X-API-Key': '' }, 'missing_api_key'],
    ['an unknown bearer', { Authorization: `Bearer pgk_${'x'.repeat(40)}` }, 'invalid_api_key'],
    ['a bearer that is none', { Authorization: 'Bearer a b' }, 'missing_api_key'],
    ['another scheme', { Authorization: 'Basic dTpw' }, 'missing_api_key'],
    ['a bearer beside a payment', { Authorization: 'Bearer a b, Payment e30' }, 'missing_api_key'],
  ]
  for (const [what, headers, error] of named)
    it(`is never taken for a stranger: ${what}`, async () => {
      for (const path of ['/monitors', '/monitors/quote'])
        assert.deepEqual(refusalOf(await api.post(path, shop, { token: null, headers })), [401, error])
    })

  const bearer = { Authorization: `Bearer ${api.token}` }
  const asked = (headers: Record<string, string> = bearer) => api.post('/monitors', shop, { token: null, headers })
  it('with a Bearer token and then only pays is asked for X-API-Key, and for no other payment', async () => {
    const before = await countWorkspaces(api)
    const credential = answerTo(challengeOf(await asked()))
    const refused = await send(api, request, credential)
    assert.deepEqual(refusalOf(refused), [401, 'missing_api_key'])
    assert.match(refused.text, /X-API-Key/)
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer (?!.*Payment )/)
    const { rows } = await api.database.pool.query('select from payment_attempts')
    assert.deepEqual([rows.length, await countWorkspaces(api)], [0, before])
    assert.equal((await send(api, { ...request, token: api.token }, credential)).status, 201)
    assert.partialDeepStrictEqual(await ledgerOf(api, api.workspaceId), { payments: 1, monitors: 1 })
  })

  it('is asked so when the challenge has expired too, and never by a challenge that is not ours', async () => {
    const other = await api.addWorkspace('pay_as_you_go')
    const challenge = challengeOf(await asked({ Authorization: `Bearer ${other.token}` }))
    const forged = answerTo({ ...challenge, id: `${challenge.id.slice(0, -4)}AAAA` })
    assert.equal(problemOf(await send(api, request, forged)), 'invalid-challenge')
    api.pass(6 * 60_000)
    assert.deepEqual(refusalOf(await send(api, request, answerTo(challenge))), [401, 'missing_api_key'])
  })

  it('needs an account for everything else', async () => {
    assert.deepEqual(refusalOf(await api.get('/monitors', { token: null })), [401, 'missing_api_key'])
    const topUp = await api.post('/credits', { amount_cents: 50 }, { token: null })
    assert.deepEqual(refusalOf(topUp), [401, 'missing_api_key'])
  })
})

describe('quotes and creates without an account', async () => {
  const api = await market({ rates: { strangersPerMinute: 30 } })

  it('share 30 requests a minute and address', async () => {
    for (let asked = 0; asked < 15; asked += 1) {
      assert.equal((await ask(api, '/monitors/quote', '192.0.2.7')).status, 200)
      assert.equal((await ask(api, '/monitors', '192.0.2.7')).status, 402)
    }
    for (const path of ['/monitors/quote', '/monitors']) {
      const refused = await ask(api, path, '192.0.2.7')
      assert.deepEqual(refusalOf(refused), [429, 'rate_limited'])
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    const other = await ask(api, '/monitors/quote', '192.0.2.8')
    assert.equal(other.status, 200)
    assert.equal(other.headers.get('ratelimit-limit'), '30')
    assert.equal(other.headers.get('ratelimit-remaining'), '29')
  })
})

function ask(api: Market, path: string, address: string): Promise<Answer> {
  return api.post(path, shop, { token: null, address })
}

async function countWorkspaces({ database }: Market): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::integer as count from workspaces')
  return rows[0]?.count ?? 0
}
