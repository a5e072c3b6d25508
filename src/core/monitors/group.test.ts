import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CurrentStatus } from './monitor.ts'
import { countMembers, groupVerdict, withPresentOthers } from './group.ts'

const words: Record<string, CurrentStatus> = { u: 'up', d: 'down', g: 'degraded', p: 'pending' }

// members, verdict by "all", verdict by "any"
const cases = [
  ['u', 'up', 'up'],
  ['d', 'down', 'down'],
  ['g', 'degraded', 'degraded'],
  ['ud', 'down', 'up'],
  ['ug', 'degraded', 'up'],
  ['gd', 'down', 'degraded'],
  ['ugd', 'down', 'up'],
  ['pu', 'up', 'up'],
  ['pd', 'down', 'down'],
  ['p', undefined, undefined],
  ['', undefined, undefined],
] as const
for (const [members, all, any] of cases)
  it(`members ${members === '' ? 'none' : members} are ${all ?? 'no data'} by all, ${any ?? 'no data'} by any`, () => {
    const counts = countMembers(Array.from(members, (letter) => words[letter] ?? 'pending'))
    assert.equal(groupVerdict(counts, 'all')?.status, all)
    assert.equal(groupVerdict(counts, 'any')?.status, any)
  })

it('says how many members are down', () => {
  assert.equal(groupVerdict(countMembers(['down', 'up', 'pending']), 'all')?.error, '1 of 2 members is down')
  assert.equal(groupVerdict(countMembers(['down', 'down', 'up']), 'all')?.error, '2 of 3 members are down')
  assert.equal(groupVerdict(countMembers(['degraded', 'up']), 'all')?.error, '1 of 2 members is degraded')
  assert.equal(groupVerdict(countMembers(['degraded', 'degraded']), 'all')?.error, '2 of 2 members are degraded')
  assert.equal(groupVerdict(countMembers(['up']), 'all')?.error, null)
  assert.deepEqual(groupVerdict(countMembers(['degraded', 'up']), 'all')?.details, {
    members: { up: 1, down: 0, degraded: 1, pending: 0 },
  })
})

const site = (id: string, ...parents: string[]) => ({
  id,
  kind: 'http' as const,
  check_options: { member_ids: ['gone'] },
  depends_on: parents,
})
const group = (...memberIds: string[]) => ({
  id: 'group',
  kind: 'group' as const,
  check_options: { member_ids: memberIds, group_policy: 'any' },
  depends_on: [],
})

it('shows the members that are there, in their order', () => {
  const others = [site('a'), site('b')]
  assert.deepEqual(withPresentOthers([group('b', 'gone', 'a'), ...others]), [group('b', 'a'), ...others])
  assert.deepEqual(withPresentOthers([...others, group('gone')]), [...others, group()])
  assert.deepEqual(withPresentOthers(others), others)
})

it('shows the parents that are there, in their order', () => {
  assert.deepEqual(withPresentOthers([site('a', 'c', 'gone', 'b'), site('b', 'gone'), site('c')]), [
    site('a', 'c', 'b'),
    site('b'),
    site('c'),
  ])
})
