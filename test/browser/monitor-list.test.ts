// The model of the monitor list, as snapshots and messages change it, without a browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type {
  IncidentRecord,
  LiveCells,
  LiveMessage,
  LiveRow,
  Overview,
  OverviewCells,
} from '../../web/src/api/overview.ts'
import { type MonitorList, barsOf, listOf } from '../../web/src/pages/monitors/monitors-rows.ts'
import { withMessage } from '../../web/src/pages/monitors/monitors-told.ts'
import { liveRow, overviewRow } from '../support/overview.ts'
import { readView, show } from '../../web/src/pages/monitors/monitors-view.ts'

const today = '2026-11-22'
const at = 1_795_000_000_000

type Given = Partial<OverviewCells> & { name: string }

function list(rows: readonly Given[], more: Partial<Overview> = {}): MonitorList {
  return listOf({
    at,
    today,
    horizon: '7',
    monitors: rows.map((row) =>
      overviewRow({ id: row.name, tags: [], checkedAt: at, latencyMs: 10, spark: '10:_', ...row }),
    ),
    groups: [],
    incidents: [],
    quiet_since: null,
    next_cursor: null,
    ...more,
  })
}

function message(more: Partial<LiveMessage>): LiveMessage {
  return { at: at + 1, today, total: 2, monitors: [], is_partial: false, incidents: null, ...more }
}

function changed(id: string, more: Partial<LiveCells> = {}): LiveRow {
  return liveRow({ id, name: id, state: 'down', checkedAt: at + 60_000, latencyMs: 12, bar: 'd5000', ...more })
}

const namesOf = ({ rows }: { rows: readonly { name: string }[] }): string[] => rows.map(({ name }) => name)

describe('what of the list is shown', () => {
  const all = list([
    { name: 'Shop 10', state: 'up', uptime: 99, latencyMs: 300 },
    { name: 'shop 9', state: 'down', uptime: 50, latencyMs: null, kind: 'tcp', url: 'db.example.com:5432' },
    { name: 'Blog', state: 'paused', uptime: null, latencyMs: 20 },
    {
      name: 'Mail',
      state: 'degraded',
      uptime: 99.5,
      latencyMs: 30,
      kind: 'smtp',
      url: 'mx.example.com',
      tags: ['Team Blue'],
    },
  ])
  const cases: [what: string, view: Parameters<typeof show>[1], names: string[]][] = [
    ['what is wrong first, then by name', {}, ['shop 9', 'Mail', 'Shop 10', 'Blog']],
    ['numbers in names as numbers', { sort: 'name' }, ['Blog', 'Mail', 'shop 9', 'Shop 10']],
    ['the lowest uptime first, unknown last', { sort: 'uptime' }, ['shop 9', 'Shop 10', 'Mail', 'Blog']],
    ['the slowest first, unknown last', { sort: 'response' }, ['Shop 10', 'Mail', 'Blog', 'shop 9']],
    ['all words, in name or target, whatever their case', { q: 'SHOP example' }, ['shop 9', 'Shop 10']],
    ['by target', { q: '5432' }, ['shop 9']],
    ['by tag', { q: 'team blue' }, ['Mail']],
    ['by state', { state: 'degraded' }, ['Mail']],
    ['by kind', { kind: 'tcp' }, ['shop 9']],
    ['nothing', { q: 'shop', state: 'degraded' }, []],
  ]
  for (const [what, view, names] of cases) it(what, () => assert.deepEqual(namesOf(show(all, view)), names))

  it('counts states of what search and kind leave, whichever state is chosen', () => {
    const { counts } = show(all, { q: 'shop', state: 'up' })
    assert.deepEqual([counts.get('up'), counts.get('down'), counts.get('degraded')], [1, 1, 0])
  })

  it('puts a monitor into each of its groups, the group first, and the others last', () => {
    const grouped = list(
      [
        { name: 'Alone' },
        { name: 'Europe', kind: 'group' },
        { name: 'Asia', kind: 'group' },
        { name: 'Both', state: 'down' },
      ],
      {
        groups: [
          ['Europe', ['Both']],
          ['Asia', ['Both', 'gone']],
        ],
      },
    )
    const lines = show(grouped, { group: 'group' }).lines.map((line) =>
      'row' in line ? line.row.name : `# ${line.title}`,
    )
    assert.deepEqual(lines, ['# Asia', 'Asia', 'Both', '# Europe', 'Europe', 'Both', '# In no group', 'Alone'])
  })

  it('puts a monitor under each of its tags, and the others last', () => {
    const tagged = list([{ name: 'A', tags: ['web', 'Blue'] }, { name: 'B' }, { name: 'C', tags: ['blue'] }])
    const lines = show(tagged, { group: 'tag' }).lines.map((line) =>
      'row' in line ? line.row.name : `# ${line.title}`,
    )
    assert.deepEqual(lines, ['# Blue', 'A', 'C', '# web', 'A', '# Without a tag', 'B'])
  })

  it('puts a monitor under each of its locations, and says how many are not well there', () => {
    const placed = list([
      { name: 'A', locations: ['osl', 'fra'], state: 'down' },
      { name: 'B', locations: ['fra'], state: 'degraded' },
      { name: 'C', locations: ['osl'] },
    ])
    const places = new Map([['fra', 'Zurich']])
    const { lines, rows } = show(placed, { group: 'location' }, places)
    const said = lines.map((line) =>
      'row' in line
        ? line.row.name
        : `# ${line.title} ${line.count}: ${line.unwell.map(({ state, count }) => `${count} ${state}`).join(', ')}`,
    )
    assert.deepEqual(said, ['# osl 2: 1 down', 'A', 'C', '# Zurich 2: 1 down, 1 degraded', 'A', 'B'])
    assert.equal(rows.length, 3)
    assert.deepEqual(
      show(placed, { group: 'kind' }).lines.map((line) => ('row' in line ? null : line.unwell)),
      [[], null, null, null],
    )
  })

  it('is read from the address, where nonsense means nothing', () => {
    assert.deepEqual(readView({ q: 'a', state: 'down', kind: 'tcp', sort: 'name', group: 'kind' }), {
      q: 'a',
      state: 'down',
      kind: 'tcp',
      sort: 'name',
      group: 'kind',
    })
    assert.deepEqual(readView({ q: '', state: 'odd', kind: 1, sort: 'state', group: 'none', saved: 'odd' }), {})
    const saved = 'a3a1c1de-3f0f-4a86-8d0e-0a4f5f1d2c44'
    assert.deepEqual(readView({ saved, group: 'location' }), { saved, group: 'location' })
  })
})

describe('the list as messages change it', () => {
  const known = list([{ name: 'A' }, { name: 'B' }])
  it('takes over what changed, and leaves every other row as it is', () => {
    const { list: next, isWhole } = withMessage(known, message({ monitors: [changed('A')] }))
    const [one, other] = next.rows
    assert.equal(isWhole, true)
    assert.equal(other, known.rows[1])
    assert.deepEqual([one?.state, one?.latencyMs, one?.spark], ['down', 12, [10, 12]])
    assert.deepEqual(one === undefined ? null : barsOf(one, today).at(-1), { date: today, state: 'down', share: 0.5 })
    // The list keeps the value that it sorts by, so that the row stays in its place.
    assert.equal(one?.ranked, 10)
  })

  it('adds no response time where nothing was checked', () => {
    const { list: next } = withMessage(known, message({ monitors: [changed('A', { checkedAt: at })] }))
    assert.deepEqual(next.rows[0]?.spark, [10])
  })

  it('keeps the order of names', () => {
    const { list: next } = withMessage(known, message({ monitors: [changed('A', { name: 'Z' })] }))
    assert.deepEqual(namesOf(next), ['B', 'Z'])
  })

  it('keeps at most 30 response times', () => {
    let next = known
    for (let round = 1; round <= 40; round += 1)
      next = withMessage(next, message({ monitors: [changed('A', { checkedAt: at + round })] })).list
    assert.equal(next.rows[0]?.spark.length, 30)
  })

  it('overlooks what is older than itself', () => {
    const { list: next } = withMessage(known, message({ at: at - 1, monitors: [changed('A')], total: 7 }))
    assert.equal(next, known)
  })

  const holes: [what: string, told: Partial<LiveMessage>][] = [
    ['a monitor more', { total: 3 }],
    ['a monitor less', { total: 1 }],
    ['one in the place of another', { monitors: [changed('C')] }],
    ['more changes than were told', { is_partial: true }],
    ['another day', { today: '2026-11-23' }],
  ]
  for (const [what, told] of holes)
    it(`has to be read again after ${what}`, () => assert.equal(withMessage(known, message(told)).isWhole, false))

  it('has to be read again when a monitor is checked for the first time', () => {
    const fresh = list([{ name: 'A', uptime: null }, { name: 'B' }])
    assert.equal(withMessage(fresh, message({ monitors: [changed('A')] })).isWhole, false)
    assert.equal(withMessage(fresh, message({ monitors: [changed('A', { bar: 'n1' })] })).isWhole, true)
  })

  it('knows when the last incident ended', () => {
    const incident: IncidentRecord = {
      id: 'i',
      monitor_id: 'A',
      monitor_name: 'A',
      status: 'open',
      title: 'A is down',
      cause: null,
      started_at: new Date(at).toISOString(),
      resolved_at: null,
      assignee: null,
      by_hand: false,
    }
    const running = withMessage(known, message({ incidents: [incident] })).list
    assert.deepEqual([running.incidents.length, running.quietSince], [1, null])
    const over = withMessage(running, message({ at: at + 5, incidents: [] })).list
    assert.deepEqual([over.incidents.length, over.quietSince], [0, new Date(at + 5).toISOString()])
  })
})
