import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'

it('is the same whatever the order of members, at every depth', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(canonicalJson(reversed(value)), canonicalJson(value))
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('tells values apart, and the order of lists', () => {
  const texts = [{ a: 1 }, { a: '1' }, { a: [1, 2] }, { a: [2, 1] }, { a: null }, {}].map(canonicalJson)
  assert.equal(new Set(texts).size, texts.length)
})

it('keeps a member named __proto__', () => {
  assert.equal(canonicalJson(JSON.parse('{"b":1,"__proto__":{"c":2}}')), '{"__proto__":{"c":2},"b":1}')
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  )
}
