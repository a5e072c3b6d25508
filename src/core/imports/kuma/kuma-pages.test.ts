import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readKuma } from './kuma.ts'
import type { RawTables } from './kuma-rows.ts'

const now = new Date('2026-11-26T12:00:00Z')
const monitor = Array.from({ length: 201 }, (_, at) => ({
  id: at + 1,
  name: `M${at + 1}`,
  type: 'ping',
  hostname: 'a.example',
}))

/** A page, and what is told of it and of all pages. */
function pageOf(page: object, others: RawTables = {}) {
  const { pages, notes } = readKuma({ monitor, status_page: [{ id: 1, slug: 'main', ...page }], ...others }, now)
  const told = notes.map(({ effect, place, message }) => `${effect} ${place.split('.').at(-1)} ${message}`)
  return { input: pages[0]?.input, told }
}

describe('a page of Uptime Kuma', () => {
  it('has a title of 160 characters and a description of 1,000', () => {
    const { input } = pageOf({ title: 't'.repeat(161), description: `d${'e'.repeat(1000)}` })
    assert.deepEqual([input?.title?.length, input?.description], [160, `d${'e'.repeat(999)}`])
    assert.equal(pageOf({}).input?.title, 'main')
    assert.equal(pageOf({ title: ' ' }).input?.title, 'Status')
  })

  for (const [theme, expected] of [
    ['light', 'light'],
    ['dark', 'dark'],
    ['sepia', 'auto'],
    [null, 'auto'],
  ])
    it(`in ${theme} is in ${expected}`, () => assert.equal(pageOf({ theme }).input?.theme, expected))

  it('loses announcements that are pinned', () => {
    for (const [active, pin, lost] of [
      [1, 1, 1],
      [1, 0, 0],
      [0, 1, 0],
    ])
      assert.equal(pageOf({}, { incident: [{ active, pin }] }).told.length - pageOf({}).told.length, lost)
  })
})

type Member = [monitorId: number, weight?: number | null]

function groupsOf(groups: readonly { members: readonly Member[]; weight?: number | null; name?: string }[]) {
  const group = groups.map(({ name = 'G', weight = null }, at) => ({ id: at + 1, name, weight, status_page_id: 1 }))
  const links = groups.flatMap(({ members }, at) =>
    members.map(([monitorId, weight = null]) => ({ monitor_id: monitorId, group_id: at + 1, weight })),
  )
  const { input, told } = pageOf({}, { group, monitor_group: links })
  return {
    sections: input?.sections?.map(({ monitors = [] }) => monitors.map(({ monitor_id: key }) => key).join(' ')),
    names: input?.sections?.map(({ name }) => name),
    told: told
      .filter((each) => / groups /.test(each))
      .map((each) => each.replace(/^(\w+) groups .*?(\d+)?\.$/, '$1 $2')),
  }
}

describe('the groups of a page of Uptime Kuma', () => {
  it('stand by their weight, which is 1,000 where none is given, and by their number', () => {
    const weights = [null, 1000, 999, 1001, null, 1000].map((weight, at) => ({ weight, members: [], name: `G${at}` }))
    assert.deepEqual(groupsOf(weights).names, ['G2', 'G0', 'G1', 'G4', 'G5', 'G3'])
  })

  it('have monitors by their weight', () => {
    const members: Member[] = [[1], [2, 1001], [3, 999], [4, 1000]] // prettier-ignore
    assert.deepEqual(groupsOf([{ members }]), { sections: ['m3 m1 m4 m2'], names: ['G'], told: [] })
  })

  it('have each monitor once, and those that were imported', () => {
    assert.deepEqual(groupsOf([{ members: [[1]] }, { members: [[1], [2]] }]), {
      sections: ['m1', 'm2'],
      names: ['G', 'G'],
      told: ['changed 1'],
    })
    assert.deepEqual(groupsOf([{ members: [[1], [300]] }]).told, ['lost 1'])
    assert.deepEqual(groupsOf([{ members: [[1], [1], [1], [300], [301]] }]).told, ['lost 2', 'changed 2'])
  })

  it('have 200 monitors together', () => {
    const members = monitor.map(({ id }): Member => [id])
    assert.deepEqual(groupsOf([{ members: members.slice(1) }]).told, [])
    const { sections, told } = groupsOf([{ members }])
    assert.deepEqual([sections?.[0]?.split(' ').length, told], [200, ['lost 1']])
  })

  it('are fifty at most, with names of 160 characters', () => {
    const groups = Array.from({ length: 51 }, () => ({ members: [], name: 'n'.repeat(161) }))
    assert.deepEqual(groupsOf(groups.slice(1)).told, [])
    const { names, told } = groupsOf(groups)
    assert.deepEqual([names?.length, names?.[0]?.length, told.length], [50, 160, 1])
  })
})
