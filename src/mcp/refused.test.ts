import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodyOf, unknownName, unknownResource } from './refused.ts'

describe('a reply to a model', () => {
  for (const status of [200, 201, 302, 399])
    it(`of ${status} is its body`, () => assert.deepEqual(bodyOf({ status, body: { id: 'a' } }), { id: 'a' }))

  const refusals: [status: number, code: number][] = [
    [400, -32_000],
    [403, -32_000],
    [404, -32_602],
    [405, -32_000],
    [499, -32_000],
    [500, -32_603],
    [503, -32_603],
  ]
  for (const [status, code] of refusals)
    it(`of ${status} is the error ${code}, with the body as its data`, () => {
      const body = { code: 'x', message: 'It was wrong.' }
      assert.throws(() => bodyOf({ status, body }), { message: 'It was wrong.', code, data: body })
    })

  it('without a sentence of its own says that it was refused', () => {
    for (const body of [null, 'a', {}, { message: 1 }])
      assert.throws(() => bodyOf({ status: 400, body }), { message: 'It was refused.', data: body })
  })

  it('of what does not exist is that of a wrong parameter', () => {
    const resource = Object.assign(unknownResource('perigee://a'))
    assert.deepEqual([resource.code, resource.data], [-32_602, { uri: 'perigee://a' }])
    assert.deepEqual(Object.assign(unknownName('tool')).code, -32_602)
  })
})
