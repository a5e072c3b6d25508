import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { createReferences, namedIn, type Reference, shownReference } from './references.ts'

const place = { file: 'a.yaml', line: 1 }
const shop: Reference = { to: 'monitors', key: 'shop' }
const ops: Reference = { to: 'contacts', name: 'Ops' }

describe('what entries of a project name', () => {
  it('has an id of its own, and its first place', () => {
    const references = createReferences()
    const first = references.idOf(shop, place)
    const second = references.idOf(ops, place)
    assert.equal(references.idOf({ ...shop }, { ...place, line: 2 }), first)
    assert.notEqual(first, second)
    for (const id of [first, second]) assert.ok(z.uuid().safeParse(id).success)
    assert.deepEqual([references.find(first), references.find(second), references.find('shop')], [shop, ops, null])
    assert.deepEqual(references.all(), [
      { reference: shop, place },
      { reference: ops, place },
    ])
  })

  it('has hundreds of ids', () => {
    const references = createReferences()
    const ids = Array.from({ length: 300 }, (_, at) => references.idOf({ to: 'monitors', key: `m${at}` }, place))
    assert.equal(new Set(ids).size, 300)
  })

  it('is found anywhere in a value', () => {
    const { idOf, find } = createReferences()
    const [one, other] = [idOf(shop, place), idOf(ops, place)]
    const value = { a: [{ b: one }, null, 1], c: other, d: 'shop' }
    assert.deepEqual(
      [...namedIn(value, find)],
      [
        [one, shop],
        [other, ops],
      ],
    )
    assert.equal(namedIn(null, find).size, 0)
  })

  it('is shown as it is written', () => assert.deepEqual([shop, ops].map(shownReference), ['shop', '"Ops"']))
})
