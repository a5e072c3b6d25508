import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { pinnedSale } from '../../../test/support/sale-offers.ts'
import type { Database } from '#store/database/database.ts'
import {
  beginPurchases,
  type DuePurchase,
  endPurchase,
  listPurchases,
  type PurchaseEnd,
  readPurchaseProblems,
  reservePurchase,
} from './canary-purchases.ts'
import { pause } from '../../../test/support/pause.ts'

const minute = 60_000
const hoursRaced = 100
const start = Date.parse('2026-11-28T10:00:00Z')
const token = { network: pinnedSale.network, asset: pinnedSale.asset.toLowerCase(), dayLimit: 25_000n }
const at = (minutes: number): Date => new Date(start + minutes * minute)

async function addBuyer(database: Database, changes: Record<string, unknown> = {}): Promise<string> {
  const id = await addMonitor(database, { workspaceId: await addWorkspace(database) })
  await database.query
    .updateTable('monitors')
    .set({
      kind: 'paid_endpoint',
      locations: ['fra', 'nyc'],
      check_options: JSON.stringify({ ...pinnedSale, buys: true }),
      ...changes,
    })
    .where('id', '=', id)
    .execute()
  await database.pool.query(
    `insert into monitor_state (monitor_key, version, current_status)
    select key, version, 'up' from monitors where id = $1`,
    [id],
  )
  return id
}

function begin(
  database: Database,
  minutes: number,
  isOnline = (_location: string): boolean => true,
): Promise<DuePurchase[]> {
  return beginPurchases(database, { now: at(minutes), limit: 100, isOnline })
}

function reserve(
  database: Database,
  id: string,
  [price, minutes = 0]: [price: bigint, minutes?: number],
): Promise<boolean> {
  return reservePurchase(database, { id, token, payee: '0xa', price, nonce: '0xb', now: at(minutes) })
}

describe('purchases', async () => {
  const database = await testDatabase({ maxConnections: 5 })

  it('begin once an hour for a monitor, however many processes begin them', async () => {
    const id = await addBuyer(database)
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin(database, 0)))
    assert.deepEqual(
      begun.flat().map(({ monitorId }) => monitorId),
      [id],
    )
    assert.deepEqual(await begin(database, 59), [])
    assert.equal((await begin(database, 60)).length, 1)
    assert.deepEqual(await begin(database, 0), [], 'a clock that goes back makes no hour shorter')
    await database.query.deleteFrom('monitors').where('id', '=', id).execute()
  })

  it('begin once where processes look while another one begins them', async () => {
    const id = await addBuyer(database)
    for (let hour = 0; hour < hoursRaced; hour += 1) {
      const begun = await Promise.all(
        Array.from({ length: 8 }, async (_, place) => {
          await pause(place)
          return begin(database, hour * 60)
        }),
      )
      assert.equal(begun.flat().length, 1, `in hour ${hour}`)
    }
    await database.query.deleteFrom('monitors').where('id', '=', id).execute()
  })

  it('begin for enabled monitors that buy, at a location that is online, another one by the hour', async () => {
    const ids = await Promise.all([
      addBuyer(database, { status: 'paused' }),
      addBuyer(database, { check_options: JSON.stringify(pinnedSale) }),
      addBuyer(database, { kind: 'api' }),
      addBuyer(database),
    ])
    assert.deepEqual(await begin(database, 0, () => false), [])
    const places: string[] = []
    for (const hour of [0, 1, 2]) {
      const due = await begin(database, hour * 60)
      assert.deepEqual(
        due.map(({ monitorId }) => monitorId),
        [ids[3]],
      )
      places.push(due[0]?.location ?? '')
    }
    assert.deepEqual(places.toSorted(), places[0] === 'fra' ? ['fra', 'fra', 'nyc'] : ['fra', 'nyc', 'nyc'])
    assert.equal((await begin(database, 180, (code) => code === 'nyc'))[0]?.location, 'nyc')
    await database.query.deleteFrom('monitors').where('id', 'in', ids).execute()
  })

  it('reserve no more of a token on a day than the operator lets them, also at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => addBuyer(database)))
    const due = await begin(database, 0)
    assert.equal(due.length, 6)
    const reserved = await Promise.all(due.map(({ id }) => reserve(database, id, [6_000n])))
    assert.equal(reserved.filter(Boolean).length, 4)
    const left = due.find((_, index) => reserved[index] === false) ?? assert.fail()
    assert.equal(await reserve(database, left.id, [1_001n]), false)
    assert.equal(await reserve(database, left.id, [1_000n]), true)
    await assert.rejects(reserve(database, left.id, [1n, 24 * 60]), /has ended meanwhile/)
    // What was spent stays spent, also where the monitors are gone.
    await database.query.deleteFrom('monitors').where('id', 'in', ids).execute()
    const other = await addBuyer(database)
    const [again = assert.fail()] = await begin(database, 0)
    assert.equal(await reserve(database, again.id, [1n]), false)
    assert.equal(await reserve(database, again.id, [25_001n, 24 * 60]), false)
    assert.equal(await reserve(database, again.id, [25_000n, 24 * 60]), true)
    await database.query.deleteFrom('monitors').where('id', '=', other).execute()
  })

  it('count as spent where their process died, and are not made again within the hour', async () => {
    const [one, two] = [await addBuyer(database), await addBuyer(database)]
    const due = await begin(database, 2 * 24 * 60)
    assert.equal(
      await reserve(database, due.find(({ monitorId }) => monitorId === one)?.id ?? '', [5_000n, 2 * 24 * 60]),
      true,
    )
    assert.deepEqual(await begin(database, 2 * 24 * 60 + 59), [])
    await begin(database, 2 * 24 * 60 + 60)
    const [, former] = await listPurchases(database, { monitorId: one, limit: 10 })
    assert.partialDeepStrictEqual(former, { state: 'interrupted', price: '5000', payee: '0xa' })
    const [, other] = await listPurchases(database, { monitorId: two, limit: 10 })
    assert.partialDeepStrictEqual(other, { state: 'not_bought', price: null })
    await database.query.deleteFrom('monitors').where('id', 'in', [one, two]).execute()
  })

  it('tell locations when something else is wrong with a sale, and only then', async () => {
    const monitorId = await addBuyer(database)
    const versionOf = async () =>
      (
        await database.query
          .selectFrom('monitors')
          .select('version')
          .where('id', '=', monitorId)
          .executeTakeFirstOrThrow()
      ).version
    const first = await versionOf()
    type Turn = Pick<PurchaseEnd, 'state' | 'note' | 'problem'>
    const turn = async (hour: number, [state, note, problem]: [Turn['state'], Turn['note'], Turn['problem']]) => {
      const minutes = (100 + hour) * 60
      const [due = assert.fail()] = await begin(database, minutes)
      const end = { id: due.id, monitorId, state, transaction: null, note, problem, now: at(minutes + 1) }
      return endPurchase(database, end)
    }
    const problemOf = async () => (await readPurchaseProblems(database, [monitorId])).get(monitorId)
    assert.equal(await turn(0, ['settled', null, null]), false)
    assert.equal(await turn(1, ['refused', 'Refused', 'down']), true)
    assert.deepEqual(await problemOf(), { status: 'down', error: 'Refused' })
    assert.equal(await turn(2, ['not_bought', 'Offline', null]), false)
    assert.deepEqual(await problemOf(), { status: 'down', error: 'Refused' }, 'it holds until the next purchase')
    assert.equal(await turn(3, ['refused', 'Refused', 'down']), false)
    assert.equal(await turn(4, ['unknown', 'No receipt', 'degraded']), true)
    assert.equal(await turn(5, ['settled', null, null]), true)
    assert.equal(await problemOf(), undefined)
    assert.equal(await versionOf(), first + 3)
    const { id } = (await begin(database, 106 * 60))[0] ?? assert.fail()
    const end = { id, monitorId, transaction: '0x1', note: null, problem: null, now: at(106 * 60) }
    assert.equal(await endPurchase(database, { ...end, state: 'settled' }), false)
    await endPurchase(database, { ...end, state: 'refused', problem: 'down', note: 'Later' })
    assert.equal((await listPurchases(database, { monitorId, limit: 1 }))[0]?.state, 'settled', 'an end is final')
  })
})
