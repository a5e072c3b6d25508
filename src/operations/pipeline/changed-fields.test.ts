import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changedFields } from './changed-fields.ts'

const cases: { says: string; sent: unknown; before: unknown; after?: unknown; changed: string[] }[] = [
  { says: 'what differs', sent: { a: 1, b: [2] }, before: { a: 1, b: [3] }, changed: ['b'] },
  { says: 'the order of a list', sent: { a: [1, 2] }, before: { a: [2, 1] }, changed: ['a'] },
  { says: 'null for what was set', sent: { a: null }, before: { a: 'x' }, changed: ['a'] },
  { says: 'what is not shown, such as a secret', sent: { password: 'x' }, before: { a: 1 }, changed: ['password'] },
  { says: 'all where nothing was before', sent: { a: 1, b: null }, before: undefined, changed: ['a', 'b'] },
  { says: 'none where all are as they were', sent: { a: { b: 1 } }, before: { a: { b: 1 }, c: 2 }, changed: [] },
  {
    says: 'what comes of what was sent',
    sent: { tags: { add: ['x'] }, name: 'n' },
    before: { tags: ['x'], name: 'm' },
    after: { tags: ['x'], name: 'n' },
    changed: ['name'],
  },
  { says: 'none of what has no fields', sent: [1], before: {}, changed: [] },
]

describe('changedFields', () => {
  for (const { says, sent, before, after, changed } of cases)
    it(`tells ${says}`, () => assert.deepEqual(changedFields(sent, before, after), changed))
})
