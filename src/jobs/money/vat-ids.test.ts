import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { createWorkspace, setBillingDetails } from '#store/workspaces/workspaces.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { vatIdChores } from './vat-ids.ts'

const start = new Date('2026-11-21T12:00:00Z')
const hour = 3_600_000
const nobody = { name: null, address: null, country: null, vatId: null }

describe('the confirmation of VAT ids', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  const answers = new Map<string, boolean | null>()
  const asked: string[] = []
  let now = start
  const confirmVatId = async (vatId: string): Promise<boolean | null> => {
    asked.push(vatId)
    return answers.get(vatId) ?? null
  }
  async function runAt(at: Date): Promise<string[]> {
    now = at
    asked.length = 0
    for (const chore of vatIdChores({ database, confirmVatId, now: () => now }))
      await chore.run(new AbortController().signal)
    return [...asked]
  }
  const after = (hours: number): Date => new Date(start.getTime() + hours * hour)
  async function withVatId(vatId: string | null, at = start): Promise<string> {
    const id = randomUUID()
    await createWorkspace(database, { id, name: 'Shop', plan: 'free' })
    await setBillingDetails(database, { workspaceId: id, details: { ...nobody, vatId }, isVatIdConfirmed: null, at })
    return id
  }
  async function confirmed(id: string): Promise<boolean | null | undefined> {
    const row = await database.query
      .selectFrom('workspaces')
      .select('vat_confirmed')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.vat_confirmed
  }

  it('asks again after an hour for an answer that was not had, and after a week for one that was', async () => {
    await withVatId(null)
    const id = await withVatId('DE811569869')
    assert.deepEqual(await runAt(after(0.9)), [])
    assert.deepEqual(await runAt(after(1)), ['DE811569869'])
    assert.equal(await confirmed(id), null)
    answers.set('DE811569869', true)
    assert.deepEqual(await runAt(after(2)), ['DE811569869'])
    assert.equal(await confirmed(id), true)
    assert.deepEqual(await runAt(after(169)), [])
    answers.set('DE811569869', null)
    assert.deepEqual(await runAt(after(170)), ['DE811569869'])
    assert.equal(await confirmed(id), true, 'the last known answer counts')
    answers.set('DE811569869', false)
    assert.deepEqual(await runAt(after(338)), ['DE811569869'])
    assert.equal(await confirmed(id), false)
    await database.query.deleteFrom('workspaces').where('id', '=', id).execute()
  })

  it('ends its run after five questions that nobody answered, and begins the next with those who wait longest', async () => {
    answers.clear()
    const vatIds = Array.from({ length: 8 }, (_, index) => `DE00000000${index}`)
    for (const [index, vatId] of vatIds.entries()) await withVatId(vatId, new Date(start.getTime() + index))
    assert.deepEqual(await runAt(after(400)), vatIds.slice(0, 5))
    assert.deepEqual(await runAt(after(400.5)), vatIds.slice(5))
    for (const vatId of vatIds) answers.set(vatId, true)
    assert.deepEqual(await runAt(after(402)), vatIds)
    assert.deepEqual(await runAt(after(403)), [])
  })

  it('drops an answer about an id that is another one by now', async () => {
    const id = await withVatId('FR40303265045')
    const replace = async (vatId: string): Promise<boolean | null> => {
      if (vatId !== 'FR40303265045') return null
      const details = { ...nobody, vatId: 'IT00743110157' }
      await setBillingDetails(database, { workspaceId: id, details, isVatIdConfirmed: null, at: after(500) })
      return true
    }
    for (const chore of vatIdChores({ database, confirmVatId: replace, now: () => after(500) }))
      await chore.run(new AbortController().signal)
    assert.equal(await confirmed(id), null)
  })

  it('is asked once by several processes at once, and not for closed workspaces', async () => {
    const id = await withVatId('PT501964843')
    const closed = await withVatId('RO18547290')
    await database.pool.query(`update workspaces set closed_at = now(), closed_reason = 'revoked' where id = $1`, [
      closed,
    ])
    const times: string[] = []
    const confirm = async (vatId: string): Promise<boolean | null> => {
      times.push(vatId)
      return true
    }
    const run = () =>
      Promise.all(
        vatIdChores({ database, confirmVatId: confirm, now: () => after(600) }).map((chore) =>
          chore.run(new AbortController().signal),
        ),
      )
    await Promise.all([run(), run(), run(), run()])
    assert.equal(times.filter((vatId) => vatId === 'PT501964843').length, 1)
    assert.ok(!times.includes('RO18547290'))
    assert.equal(await confirmed(id), true)
  })

  it('is no chore where nobody is asked', () => {
    assert.deepEqual(vatIdChores({ database, confirmVatId: null, now: () => start }), [])
  })
})
