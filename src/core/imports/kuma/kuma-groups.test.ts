import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { createTree, membersOf } from './kuma-groups.ts'
import { type KumaMonitor, readKumaTables } from './kuma-rows.ts'

type Row = { id: number; parent?: number; type?: string; active?: number }

function treeOf(rows: Row[]) {
  const monitors = readKumaTables({ monitor: rows.map((row) => ({ name: 'M', type: 'ping', ...row })) }).monitor
  const found = (id: number): KumaMonitor => monitors.find((each) => each.id === id) ?? assert.fail()
  return { tree: createTree(monitors), found }
}

/** 1 has 2 and the group 3, which has 5 and the empty group 4. */
const nested: Row[] = [
  { id: 1, type: 'group' },
  { id: 2, parent: 1 },
  { id: 3, parent: 1, type: 'group' },
  { id: 5, parent: 3 },
  { id: 4, parent: 3, type: 'group' },
]

/** What a group has, by the keys of those that are imported, and what is told of it. */
function membersAt(id: number, rows = nested, imported = rows) {
  const { tree, found } = treeOf(rows)
  const keys = new Map(imported.map((row) => [row.id, `m${row.id}`]))
  const findings = createFindings()
  const members = membersOf(found(id), { tree, keys }, { place: 'g', findings })
  return { members, notes: findings.file().notes.map(({ effect, place }) => `${effect} ${place}`) }
}

const full = (count: number): Row[] => [
  { id: 1, type: 'group' },
  ...Array.from({ length: count }, (_, index) => ({ id: index + 2, parent: 1 })),
]

describe('a group of Uptime Kuma', () => {
  it('has what is below it, however deep, in the order of their ids', () => {
    const { tree } = treeOf(nested)
    const below = [1, 3, 4, 9].map((id) => tree.leavesBelow(id).map((leaf) => leaf.id))
    assert.deepEqual(below, [[2, 5], [5], [], []])
    assert.deepEqual([1, 3, 4, 2].map(tree.hasInnerGroups), [true, true, false, false])
  })

  it('has members that are imported, and no groups', () => {
    assert.deepEqual(membersAt(1), { members: ['m2', 'm5'], notes: ['changed g'] })
    assert.deepEqual(membersAt(4), { members: null, notes: ['lost g'] })
    assert.deepEqual(membersAt(1, nested.slice(0, 2)), { members: ['m2'], notes: [] })
    assert.deepEqual(membersAt(1, nested, nested.slice(0, 2)), { members: ['m2'], notes: ['changed g'] })
  })

  it('has a hundred members at most', () => {
    assert.deepEqual([membersAt(1, full(100)).members?.length, membersAt(1, full(100)).notes], [100, []])
    assert.deepEqual([membersAt(1, full(101)).members?.length, membersAt(1, full(101)).notes], [100, ['lost g']])
  })

  it('pauses what is in it', () => {
    const { tree, found } = treeOf([
      { id: 1, type: 'group', active: 0 },
      { id: 2, parent: 1, type: 'group' },
      { id: 3, parent: 2 },
      { id: 4 },
      { id: 5, active: 0 },
      { id: 6, parent: 9 },
    ])
    assert.deepEqual(
      [3, 4, 5, 6].map((id) => tree.isPaused(found(id))),
      [true, false, true, false],
    )
  })

  it('of a damaged database may be in itself', () => {
    const { tree, found } = treeOf([
      { id: 1, parent: 2, type: 'group' },
      { id: 2, parent: 1, type: 'group' },
      { id: 3, parent: 2 },
    ])
    assert.equal(tree.isPaused(found(3)), false)
    assert.deepEqual(
      [1, 2].map((id) => tree.leavesBelow(id).map((leaf) => leaf.id)),
      [[3], [3]],
    )
  })
})
