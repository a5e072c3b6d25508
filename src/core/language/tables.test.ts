import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { namesOf, partsOf, valuesOf } from './tables.ts'

const table = { width: { unit: 'm', least: 0 }, name: { longest: 10 }, height: { unit: 'cm' } } as const

describe('a table', () => {
  it('gives one part of the entries that have it, in its order', () => {
    const units: { width: 'm'; height: 'cm' } = partsOf(table, 'unit')
    assert.deepEqual(Object.entries(units), [
      ['width', 'm'],
      ['height', 'cm'],
    ])
  })

  it('keeps a part that is null or undefined', () => {
    assert.deepEqual(partsOf({ a: { least: undefined }, b: { least: null }, c: {} }, 'least'), {
      a: undefined,
      b: null,
    })
  })

  it('gives the names of its entries, in its order', () => {
    const names: readonly ('width' | 'name' | 'height')[] = namesOf(table)
    assert.deepEqual(names, ['width', 'name', 'height'])
  })

  it('gives entries by their names as a tuple', () => {
    const found: [typeof table.height, typeof table.width] = valuesOf(table, ['height', 'width'])
    assert.deepEqual(found, [table.height, table.width])
  })
})
