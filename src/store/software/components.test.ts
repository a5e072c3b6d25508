import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { type ComponentName, forgetComponents, holdComponents } from './components.ts'

const database = await testDatabase({ maxConnections: 8 })

function keysOf(...names: readonly ComponentName[]): Promise<string[]> {
  return database.transaction((tx) => holdComponents(tx, names))
}

describe('holding components', () => {
  it('makes those that are not there, in the order asked, each once', async () => {
    const [old] = await keysOf({ product: 'npm:old', version: '1.0.0' })
    const names = [
      { product: 'npm:new', version: '2.0.0' },
      { product: 'npm:old', version: '1.0.0' },
      { product: 'npm:new', version: null },
      { product: 'npm:new', version: '2.0.0' },
    ] as const
    const keys = await keysOf(...names)
    assert.deepEqual([keys.length, keys[1], new Set(keys).size], [4, old, 3])
    assert.equal(keys[0], keys[3])
    assert.deepEqual(await keysOf(...names), keys)
    const { rows } = await database.pool.query<ComponentName>(
      `select product, version from components where product = 'npm:new' order by version`,
    )
    assert.deepEqual(
      rows.map(({ version }) => version),
      ['2.0.0', null],
    )
  })

  it('takes names as they stand', async () => {
    const products = ['npm:"quoted"', 'npm:back\\slash', 'npm:{a,b}', 'npm:NULL']
    await keysOf(...products.map((product) => ({ product, version: 'null' })))
    const { rows } = await database.pool.query<ComponentName>(
      `select product from components where version = 'null' order by key`,
    )
    assert.deepEqual(
      rows.map(({ product }) => product),
      products.toSorted(),
    )
  })

  it('of nothing is nothing', async () => {
    assert.deepEqual(await keysOf(), [])
  })

  it('gives the same keys to all who make the same at once', async () => {
    const names = Array.from({ length: 500 }, (_, index) => ({ product: `npm:at-once-${index}`, version: '1.0.0' }))
    const [first, ...others] = await Promise.all(
      [names, names.toReversed(), names, names.toReversed(), names].map(async (wanted) =>
        (await keysOf(...wanted)).toSorted(),
      ),
    )
    assert.equal(new Set(first).size, 500)
    for (const keys of others) assert.deepEqual(keys, first)
  })

  it('keeps them from those who forget', async () => {
    const name = { product: 'npm:kept', version: '1.0.0' }
    const [key] = await keysOf(name)
    await database.transaction(async (tx) => {
      await holdComponents(tx, [name])
      await forgetComponents(database)
    })
    assert.deepEqual(await keysOf(name), [key])
    assert.ok((await forgetComponents(database)) > 0)
    assert.notDeepEqual(await keysOf(name), [key])
  })
})
