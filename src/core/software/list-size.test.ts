import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fitting, maxEntries, maxListBytes, sizeProblem } from './list-size.ts'

const none = { entries: 0, bytes: 0 }
const named = (name: string) => ({ product: `npm:${name}`, name, version: '1.0.0', evidence: null })
/** `"npm:a"`, `"a"`, `"1.0.0"` and `null`. */
const bytes = 7 + 3 + 7 + 4

describe('the size of a list', () => {
  const cases = [
    ['as large as it may be', none, { entries: maxEntries, bytes: maxListBytes }, null],
    ['with an entry too many', none, { entries: maxEntries + 1, bytes: 1 }, /50,000 entries/],
    ['with a byte too many', none, { entries: 1, bytes: maxListBytes + 1 }, /8388608 bytes .* 8388609/],
    ['that was larger and shrinks', { entries: 2, bytes: 2e7 }, { entries: 1, bytes: 1e7 }, null],
    ['that was larger and stays', { entries: 2, bytes: 2e7 }, { entries: 2, bytes: 2e7 }, null],
    ['that was larger and grows', { entries: 2, bytes: 2e7 }, { entries: 2, bytes: 2e7 + 1 }, /bytes/],
  ] as const
  for (const [what, before, after, problem] of cases)
    it(what, () => {
      const told = sizeProblem(before, after)
      if (problem === null) assert.equal(told, null)
      else assert.match(told ?? '', problem)
    })
})

describe('what a scan found', () => {
  const found = ['a', 'b', 'c'].map(named)
  const cases = [
    ['all where there is room', { before: none, others: none }, 3],
    ['all into the last byte', { before: none, others: { entries: 0, bytes: maxListBytes - 3 * bytes } }, 3],
    ['some where bytes are missing', { before: none, others: { entries: 0, bytes: maxListBytes - 3 * bytes + 1 } }, 2],
    ['some where entries are missing', { before: none, others: { entries: maxEntries - 1, bytes: 0 } }, 1],
    ['none where others fill the list', { before: none, others: { entries: maxEntries, bytes: 0 } }, 0],
    [
      'as much as there was before',
      { before: { entries: 9, bytes: 2e7 }, others: { entries: 1, bytes: 2e7 - 2 * bytes } },
      2,
    ],
  ] as const
  for (const [what, sizes, number] of cases)
    it(`comes into the list: ${what}`, () => assert.deepEqual(fitting(found, sizes), found.slice(0, number)))
})
