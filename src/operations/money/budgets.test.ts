import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { letIn } from '#operations/people/oauth-consent.ts'
import { exchangeCode } from '#operations/people/oauth-tokens.ts'
import { setBudget } from '#store/people/agent-registrations.ts'
import { addCredit } from '#store/money/credit.ts'
import { alice, publicUrl } from '../../../test/support/agents.ts'
import { monitorOf } from '../../../test/support/monitors.ts'
import { type Ledger, ledgerOf, market, pay, send } from '../../../test/support/paying.ts'
import { until } from '../../../test/support/until.ts'

const shop = { name: 'Shop', url: 'https://example.com' }
const one = { ...shop, locations: ['amsterdam'] }
const two = { ...shop, locations: ['amsterdam', 'boston'] }
const three = { ...shop, locations: ['amsterdam', 'boston', 'chennai'] }

describe('the budget of a program that was let in', async () => {
  const api = await market()
  const { database } = api

  /** A workspace with credit, and a program in it that may spend so much of that. */
  async function connected(creditCents: number, budgetCents: number) {
    const { workspaceId, token: ownToken } = await api.addWorkspace('pay_as_you_go')
    const at = new Date(Date.UTC(2026, 10, 21, 12))
    if (creditCents > 0)
      await database.transaction((tx) =>
        addCredit(tx, { workspaceId, amountCents: creditCents, reason: 'payment', description: 'Gift', at }),
      )
    const verifier = 'v'.repeat(43)
    const redirectUri = 'https://editor.example/callback'
    const uri = await letIn(
      { database, publicUrl },
      {
        asked: {
          client: { id: randomUUID(), name: 'Editor', redirectUris: [redirectUri] },
          redirectUri,
          state: undefined,
          scopes: ['read', 'write'],
          audience: null,
          challenge: createHash('sha256').update(verifier).digest('base64url'),
        },
        scopes: ['read', 'write'],
        budgetCents,
        person: alice,
        workspaceId,
        now: at,
        onLetIn: () => {},
      },
    )
    const { rows } = await database.pool.query<{ id: string; client: string }>(
      'select id, client_id as client from agent_registrations where workspace_id = $1',
      [workspaceId],
    )
    const { id, client } = rows[0] ?? assert.fail()
    const exchange = { clientId: client, redirectUri, verifier, resource: undefined }
    const code = new URL(uri).searchParams.get('code') ?? assert.fail()
    const { accessToken: token } = await exchangeCode({ database, publicUrl }, { code, ...exchange }, at)
    const spent = async (): Promise<number> =>
      Number(
        (await database.pool.query('select spent_cents from agent_registrations where id = $1', [id])).rows[0]
          ?.spent_cents,
      )
    const ledger = (): Promise<Ledger> => ledgerOf(api, workspaceId)
    return { id, workspaceId, token, ownToken, spent, ledger }
  }

  it('is nothing unless its owner says otherwise: credit stays where it is', async () => {
    const { token, spent, ledger } = await connected(100, 0)
    const before = await ledger()
    const refused = await send(api, { path: '/monitors', body: one, token })
    assert.equal(refused.status, 403, refused.text)
    assert.partialDeepStrictEqual(refused.body, { error: 'budget_exceeded' })
    assert.deepEqual([await ledger(), await spent()], [before, 0])
  })

  it('is taken cent by cent, and never exceeded', async () => {
    const { token, ownToken, spent, ledger } = await connected(100, 4)
    const made = await send(api, { path: '/monitors', body: two, token })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([await spent(), (await ledger()).creditCents], [2, 98])
    const refused = await send(api, { path: '/monitors', body: three, token })
    assert.deepEqual([refused.status, await spent(), (await ledger()).creditCents], [403, 2, 98])
    const path = `/monitors/${monitorOf(made).id}`
    const changed = await send(api, { method: 'PATCH', path, body: three, token })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(await spent(), 3)
    assert.equal((await send(api, { path: '/monitors', body: one, token })).status, 201)
    assert.equal((await send(api, { path: '/monitors', body: one, token })).status, 403)
    assert.equal((await send(api, { path: '/monitors', body: one, token: ownToken })).status, 201)
    assert.equal(await spent(), 4, 'what others spend is not its own')
  })

  it('holds when it asks for several at once', async () => {
    const { token, spent, ledger } = await connected(100, 2)
    const asked = Array.from({ length: 5 }, () => send(api, { path: '/monitors', body: one, token }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((left, right) => left - right),
      [201, 201, 403, 403, 403],
    )
    assert.deepEqual([await spent(), (await ledger()).monitors], [2, 2])
  })

  it('is what its owner says later, from the next purchase on', async () => {
    const { id, workspaceId, token, spent } = await connected(100, 1)
    const buy = async (): Promise<number> => (await send(api, { path: '/monitors', body: one, token })).status
    const budget = (cents: number | null) => setBudget(database, { workspaceId, id, cents })
    assert.deepEqual([await buy(), await buy()], [201, 403])
    await budget(2)
    assert.deepEqual([await buy(), await buy()], [201, 403])
    await budget(1)
    assert.deepEqual([await buy(), await spent()], [403, 2], 'what was spent stays spent')
    await budget(null)
    assert.deepEqual([await buy(), await spent()], [201, 3])
  })

  it('holds for a purchase that waits while it is lowered', async () => {
    const { id, workspaceId, token, spent } = await connected(100, 3)
    const buying = await database.transaction(async (tx) => {
      await setBudget(tx, { workspaceId, id, cents: 0 })
      const asked = send(api, { path: '/monitors', body: one, token })
      await until('the purchase waits', async () => {
        const { rows } = await tx.client.query<{ waits: boolean }>(
          'select exists (select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))) as waits',
        )
        return rows[0]?.waits ?? false
      })
      return { asked }
    })
    assert.deepEqual([(await buying.asked).status, await spent()], [403, 0])
  })

  it('counts a repeat once', async () => {
    const { token, spent } = await connected(100, 1)
    const again = { path: '/monitors', body: one, token, key: 'the same' }
    assert.equal((await send(api, again)).status, 201)
    assert.equal((await send(api, again)).status, 200)
    assert.equal(await spent(), 1)
  })

  it('is not touched by what it pays itself', async () => {
    const { token, spent, ledger } = await connected(0, 0)
    const { paid } = await pay(api, { path: '/monitors', body: three, token })
    assert.equal(paid.status, 201, paid.text)
    assert.deepEqual([await spent(), (await ledger()).creditCents], [0, 47])
    const next = await send(api, { path: '/monitors', body: three, token })
    assert.equal(next.status, 403, 'what is left belongs to the workspace')
  })

  it('has to cover what credit adds to a payment, which is refused before it is made otherwise', async () => {
    const short = await connected(2, 1)
    assert.equal((await send(api, { path: '/monitors', body: three, token: short.token })).status, 403)
    assert.equal((await short.ledger()).payments, 0)
    const enough = await connected(2, 2)
    const { paid } = await pay(api, { path: '/monitors', body: three, token: enough.token })
    assert.equal(paid.status, 201, paid.text)
    assert.deepEqual([await enough.spent(), (await enough.ledger()).creditCents], [0, 49])
  })

  it('does not count what is paid again for another month', async () => {
    const { token, spent, ledger } = await connected(100, 1)
    const { id } = monitorOf(await send(api, { path: '/monitors', body: one, token }))
    assert.equal((await send(api, { path: `/monitors/${id}/renew`, token })).status, 200)
    assert.deepEqual([await spent(), (await ledger()).creditCents], [1, 98])
  })
})
