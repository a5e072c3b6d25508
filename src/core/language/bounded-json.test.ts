import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseBoundedJson, usualMaxCost } from './bounded-json.ts'

const room = 65_536
const list = (number: number, item: string): string => `[${Array.from({ length: number }, () => item).join(',')}]`
const names = (number: number): string =>
  `{${Array.from({ length: number }, (_, index) => `"name ${index}":0`).join(',')}}`

describe('JSON that others sent', () => {
  it('is the value that it always was, or invalid', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const read = parseBoundedJson(text.padEnd(room + 1))
        assert.notEqual(read.type, 'too intricate')
        let value: unknown
        try {
          value = JSON.parse(text)
        } catch {
          return assert.deepEqual(read, { type: 'invalid' })
        }
        assert.deepEqual(read, { type: 'value', value })
      }),
    )
  })

  const cases: [what: string, text: string, type: string][] = [
    ['140,000 lists', list(140_000 - 1, '[]'), 'too intricate'],
    ['130,000 lists', list(130_000, '[]'), 'value'],
    ['160,000 objects, one in the other', `${'{"a":'.repeat(160_000)}0${'}'.repeat(160_000)}`, 'too intricate'],
    ['24,000 different names', names(24_000), 'value'],
    ['26,000 different names', names(26_000), 'too intricate'],
    ['200,000 members of a few names', list(13_000, '{"a":1,"b":[],"c":"d","e":null,"f":2}'), 'value'],
    ['a million numbers', list(1_000_000, '0'), 'value'],
    ['brackets in a text', JSON.stringify('[{",":\\"'.repeat(200_000)), 'value'],
    ['an open list', '['.repeat(room), 'invalid'],
  ]
  for (const [what, text, type] of cases)
    it(`with ${what} is ${type}`, () => assert.equal(parseBoundedJson(text, usualMaxCost).type, type))

  it('takes its bound from the caller', () => {
    assert.equal(parseBoundedJson(list(50_000, '[]'), 1_000).type, 'too intricate')
  })

  it('may cost its whole bound', () => {
    const spaces = ' '.repeat(100_000)
    assert.equal(parseBoundedJson(`[${spaces}]`, 0.1).type, 'value')
    assert.equal(parseBoundedJson(`[[${spaces}]]`, 0.1).type, 'too intricate')
  })
})
