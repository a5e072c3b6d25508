import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { AgentRecord } from './agents.ts'
import { agentsAt, readBlock, textOf } from '../../../test/support/agents.ts'
import type { Answer } from '../../../test/support/api.ts'
import { type Browser, codeOf, peopleApi } from '../../../test/support/people.ts'

const listSchema = z.object({ data: z.array(z.looseObject({ id: z.uuid(), name: z.string(), type: z.string() })) })
const entrySchema = z.looseObject({
  action: z.string(),
  actor: z.looseObject({ kind: z.string(), name: z.string() }),
  target: z.looseObject({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
})
const entriesSchema = z.looseObject({ data: z.array(entrySchema) })

describe('agents in the console', async () => {
  const people = await peopleApi()
  const agents = agentsAt(people.api, null)
  const alice = await people.newcomer('alice@example.com', 'Alice')
  const eve = await people.newcomer('eve@example.com', 'Eve')

  async function register(): Promise<{ claimToken: string; claim: unknown }> {
    const { body } = await agents.identity({ type: 'service_auth', login_hint: 'Alice@example.com' })
    return { claimToken: textOf(body, 'claim_token'), claim: body['claim'] }
  }
  const type = (claim: unknown, changes: { who?: typeof alice; code?: string } = {}): Promise<Answer> => {
    const { who = alice, code = readBlock(claim).userCode } = changes
    const body = { claim_attempt_token: readBlock(claim).attemptToken, user_code: code }
    return who.browser.api('POST', '/claim-attempt/complete', { workspace: who.workspaceId, body })
  }
  const letIn = async (email: string, who: typeof alice): Promise<{ token: string; assertion: string }> => {
    const { body } = await agents.identity({ type: 'service_auth', login_hint: email })
    assert.equal((await type(body['claim'], { who })).status, 200)
    const { body: granted } = await agents.poll(textOf(body, 'claim_token'))
    return { token: textOf(granted, 'access_token'), assertion: textOf(granted, 'identity_assertion') }
  }
  const list = async (): Promise<z.infer<typeof listSchema>['data']> =>
    listSchema.parse((await alice.browser.api('GET', '/agents', { workspace: alice.workspaceId })).body).data
  const entries = async (): Promise<z.infer<typeof entrySchema>[]> =>
    entriesSchema.parse((await alice.browser.api('GET', '/audit-entries', { workspace: alice.workspaceId })).body).data

  it('are shown to their person, confirmed by the code, listed, and disconnected at once', async () => {
    const { claimToken, claim } = await register()
    const view = await read(alice.browser, claim)
    assert.equal(view.status, 200, view.text)
    assert.match(view.text, /"state":"open".*"email":"alice@example.com"/)
    const done = await type(claim)
    assert.equal(done.status, 200, done.text)
    assert.match((await read(alice.browser, claim)).text, /"state":"done"/)
    const { body } = await agents.poll(claimToken)
    const token = textOf(body, 'access_token')
    assert.equal(await agents.account(token), 200)
    const [agent] = await list()
    assert.equal(agent?.type, 'service_auth' satisfies AgentRecord['type'])
    const gone = await alice.browser.api('DELETE', `/agents/${agent?.id ?? ''}`, { workspace: alice.workspaceId })
    assert.equal(gone.status, 204, gone.text)
    assert.equal(await agents.account(token), 401)
    assert.equal((await agents.exchange(textOf(body, 'identity_assertion'))).body['error'], 'invalid_grant')
    assert.equal((await agents.poll(claimToken)).body['error'], 'expired_token')
    assert.equal((await agents.claim({ claim_token: claimToken })).body['error'], 'invalid_claim_token')
    assert.deepEqual(await list(), [])
    const again = await alice.browser.api('DELETE', `/agents/${agent?.id ?? ''}`, { workspace: alice.workspaceId })
    assert.equal(again.status, 404)
    const told = (await entries()).filter(({ target }) => target.kind === 'agent')
    assert.deepEqual(
      told.map(({ action, actor, target }) => [action, actor.name, target.id, target.name]),
      [
        ['disconnect_agent', 'Alice', agent?.id, agent?.name],
        ['complete_claim', 'Alice', agent?.id, agent?.name],
      ],
    )
  })

  it('may spend what an owner says, from then on', async () => {
    await letIn('alice@example.com', alice)
    const id = (await list())[0]?.id ?? ''
    const change = (body: unknown, who = alice): Promise<Answer> =>
      who.browser.api('PATCH', `/agents/${id}`, { workspace: who.workspaceId, body })
    const budgets: unknown[] = [(await list())[0]?.['budget_cents']]
    for (const cents of [500, 0, null, 10_000_000]) {
      const { status, text } = await change({ budget_cents: cents })
      assert.equal(status, 200, text)
      budgets.push((await list())[0]?.['budget_cents'])
    }
    assert.deepEqual(budgets, [null, 500, 0, null, 10_000_000])
    const [entry] = await entries()
    assert.deepEqual(
      [entry?.action, entry?.target.id, entry?.['details']],
      ['update_agent', id, { budget_cents: 10_000_000, fields: ['budget_cents'] }],
    )
    for (const wrong of [
      {},
      { budget_cents: -1 },
      { budget_cents: 0.5 },
      { budget_cents: 10_000_001 },
      { budget_cents: '5' },
    ]) {
      const { status, body } = await change(wrong)
      assert.deepEqual([status, Object.keys(Object(body).fields)], [422, ['budget_cents']])
    }
    assert.equal((await change({ budget_cents: 1 }, eve)).status, 404)
    assert.equal((await list())[0]?.['budget_cents'], 10_000_000)
    await alice.browser.api('DELETE', `/agents/${id}`, { workspace: alice.workspaceId })
    assert.equal((await change({ budget_cents: 1 })).status, 404)
  })

  it('end with the membership of whoever let them in, and those of others do not', async () => {
    const bob = await people.newcomer('bob@example.com', 'Bob')
    const { workspaceId: workspace } = alice
    const invite = { email: 'bob@example.com', role: 'owner' }
    for (const leave of [
      () => alice.browser.api('DELETE', `/members/${bob.personId}`, { workspace }),
      () => bob.browser.api('DELETE', `/members/${bob.personId}`, { workspace }),
    ]) {
      assert.equal((await alice.browser.api('POST', '/invitations', { workspace, body: invite })).status, 201)
      const { parameters } = await people.mailTo('bob@example.com', /You have been invited/)
      const body = { token: parameters.get('token') ?? '' }
      assert.equal((await bob.browser.api('POST', '/invitations/accept', { body })).status, 200)
      const [hers, his, elsewhere] = [
        await letIn('alice@example.com', alice),
        await letIn('bob@example.com', { ...bob, workspaceId: workspace }),
        await letIn('bob@example.com', bob),
      ]
      assert.equal((await leave()).status, 204)
      assert.deepEqual(
        [await agents.account(hers.token), await agents.account(his.token), await agents.account(elsewhere.token)],
        [200, 401, 200],
      )
      assert.equal((await agents.exchange(his.assertion)).body['error'], 'invalid_grant')
    }
    for (const { id } of await list()) await alice.browser.api('DELETE', `/agents/${id}`, { workspace })
  })

  it('are named in the audit log by what they do', async () => {
    const { claimToken, claim } = await register()
    await type(claim)
    const token = textOf((await agents.poll(claimToken)).body, 'access_token')
    const saved = await people.api.request('PUT', '/account/billing', { token, body: { billing_name: 'Shop' } })
    assert.equal(saved.status, 200)
    const [entry] = await entries()
    assert.equal(entry?.action, 'update_billing_details')
    assert.equal(entry?.actor.kind, 'agent')
    assert.match(entry?.actor.name ?? '', /^Agent [0-9a-f]{6}$/)
  })

  it('of another person are no business of a stranger', async () => {
    const { claim } = await register()
    assert.match((await read(eve.browser, claim)).text, /"state":"wrong_person","asks":null/)
    const refused = await type(claim, { who: eve })
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'wrong_person'])
    const before = await list()
    assert.equal(before.length, 1)
    const other = await eve.browser.api('DELETE', `/agents/${before[0]?.id ?? ''}`, { workspace: eve.workspaceId })
    assert.equal(other.status, 404)
  })

  it('are told apart by codes: a wrong one, five of them, and one that is over', async () => {
    const { claimToken, claim } = await register()
    const code = readBlock(claim).userCode === '000000' ? '000001' : '000000'
    const before = (await entries()).length
    const wrong = await type(claim, { code })
    assert.deepEqual([wrong.status, codeOf(wrong)], [422, 'validation_failed'])
    assert.match(wrong.text, /"user_code":\[".*Tries left: 4\."\]/)
    for (let count = 0; count < 4; count += 1) await type(claim, { code })
    const locked = await type(claim)
    assert.deepEqual([locked.status, codeOf(locked)], [410, 'claim_expired'])
    assert.equal((await entries()).length, before, 'nothing was changed')
    await agents.claim({ claim_token: claimToken })
    assert.deepEqual(codeOf(await type(claim)), 'claim_expired')
  })

  it('are confirmed by owners only, and by nobody who is not signed in', async () => {
    const { claim } = await register()
    await people.api.database.query
      .insertInto('members')
      .values({ workspace_id: eve.workspaceId, person_id: alice.personId, role: 'member', joined_at: new Date() })
      .execute()
    const refused = await type(claim, { who: { ...alice, workspaceId: eve.workspaceId } })
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'insufficient_role'])
    const listing = await alice.browser.api('GET', '/agents', { workspace: eve.workspaceId })
    assert.equal(listing.status, 403)
    assert.equal((await read(people.browser(), claim)).status, 401)
    const byToken = await people.api.get(`/claim-attempt?claim_attempt_token=${readBlock(claim).attemptToken}`)
    assert.deepEqual([byToken.status, codeOf(byToken)], [401, 'session_required'])
    assert.equal((await type(claim)).status, 200)
    const twice = await type(claim)
    assert.deepEqual([twice.status, codeOf(twice)], [409, 'claimed_or_in_flight'])
  })
})

function read(browser: Browser, claim: unknown): Promise<Answer> {
  return browser.api('GET', `/claim-attempt?claim_attempt_token=${readBlock(claim).attemptToken}`)
}
