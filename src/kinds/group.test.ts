import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { group } from './group.ts'

const id = randomUUID()
const cases = [
  ['one member', { member_ids: [id] }, true],
  ['both policies', { member_ids: [id], group_policy: 'any' }, true],
  ['a hundred members', { member_ids: Array.from({ length: 100 }, () => randomUUID()) }, true],
  ['a hundred and one', { member_ids: Array.from({ length: 101 }, () => randomUUID()) }, false],
  ['nobody', { member_ids: [] }, false],
  ['one twice, in other letters', { member_ids: [id, id.toUpperCase()] }, false],
  ['no ids', { member_ids: ['shop'] }, false],
  ['no members at all', {}, false],
  ['another policy', { member_ids: [id], group_policy: 'most' }, false],
] as const
for (const [name, options, isValid] of cases)
  it(`a group of ${name} is ${isValid ? 'valid' : 'refused'}`, () => {
    assert.equal(group.options.safeParse(options).success, isValid)
  })

it('a group is of all its members unless it says otherwise', () => {
  assert.deepEqual(group.options.parse({ member_ids: [id] }), { member_ids: [id], group_policy: 'all' })
})
