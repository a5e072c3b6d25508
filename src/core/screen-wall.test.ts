import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Seen, gridFor, maxTiles, wallOf, wallStateOf } from './screen-wall.ts'

const now = new Date('2026-03-01T12:00:00Z')
const seen = (name: string, more: Partial<Seen> = {}): Seen => ({
  name,
  kind: 'http',
  status: 'enabled',
  current_status: 'up',
  interval_seconds: 60,
  timeout_ms: 5000,
  knownAtMs: now.getTime(),
  downSinceMs: null,
  ...more,
})
const hourAgo = now.getTime() - 3_600_000
const wall = (monitors: readonly Seen[]) => wallOf(monitors, { now, locale: 'en' })
const many = (count: number, more: Partial<Seen> = {}): Seen[] =>
  Array.from({ length: count }, (_, index) => seen(`Shop ${index + 1}`, more))

describe('the state of a monitor on a screen', () => {
  const cases: [what: string, changes: Partial<Seen>, state: string][] = [
    ['is up', {}, 'up'],
    ['is degraded', { current_status: 'degraded' }, 'degraded'],
    ['was never checked', { current_status: 'pending' }, 'pending'],
    ['has told nothing for an hour', { knownAtMs: hourAgo }, 'unknown'],
    ['was down and has told nothing since', { current_status: 'down', knownAtMs: hourAgo }, 'down'],
    ['is paused, whatever it was', { status: 'paused', current_status: 'down', knownAtMs: hourAgo }, 'paused'],
    ['is called, and not looked at', { kind: 'heartbeat', knownAtMs: hourAgo }, 'up'],
  ]
  for (const [what, changes, state] of cases)
    it(`that ${what} is ${state}`, () => assert.equal(wallStateOf(seen('Shop', changes), now), state))
})

describe('the wall of a screen', () => {
  it('has what is wrong first, then numbers in names as numbers', () => {
    const { tiles, counts, downSince } = wall([
      seen('Shop 10'),
      seen('shop 9'),
      seen('Mail', { current_status: 'degraded' }),
      seen('Old', { status: 'paused' }),
      seen('Till', { knownAtMs: hourAgo }),
      seen('Zoo', { current_status: 'down', downSinceMs: hourAgo }),
      seen('Bank', { current_status: 'down', downSinceMs: hourAgo + 1 }),
      seen('Off', { status: 'paused', current_status: 'down', downSinceMs: 1 }),
    ])
    assert.deepEqual(
      tiles.map(({ name }) => name),
      ['Bank', 'Zoo', 'Till', 'Mail', 'shop 9', 'Shop 10', 'Off', 'Old'],
    )
    assert.deepEqual(
      counts.map(({ state, count }) => `${count} ${state}`),
      ['2 down', '1 unknown', '1 degraded', '2 up', '2 paused'],
    )
    assert.equal(downSince?.getTime(), hourAgo)
  })

  it('holds a tile for each up to 80, and a number for those that are up beyond', () => {
    assert.equal(wall(many(maxTiles)).tiles.length, 80)
    const large = wall([...many(maxTiles), seen('Mail', { current_status: 'down' })])
    assert.deepEqual(large.tiles, [{ name: 'Mail', state: 'down' }])
    assert.deepEqual([large.others, large.all, large.downSince], [[{ state: 'up', count: 80 }], 81, null])
  })

  it('says how many of those that need somebody have no tile', () => {
    const { tiles, others } = wall([...many(60), ...many(50, { current_status: 'down' })])
    assert.equal(tiles.length, 30)
    assert.deepEqual(others, [
      { state: 'down', count: 20 },
      { state: 'up', count: 60 },
    ])
  })

  it('is empty without monitors', () => assert.deepEqual(wall([]).tiles, []))
})

describe('the grid of a window', () => {
  it('has room for every tile, in tiles that are wider than high, at a desk and upright', () => {
    for (const shape of [16 / 9, 9 / 16, 4 / 3, 21 / 9])
      for (let count = 1; count <= maxTiles; count++) {
        const { columns, rows } = gridFor(count, shape)
        assert.ok(columns * rows >= count && columns * (rows - 1) < count, `${count} in ${columns} × ${rows}`)
        const tile = (shape * rows) / columns
        assert.ok(count < 3 || (tile > 1 && tile < 5), `${count}: ${tile}`)
        assert.ok(columns <= 12 && rows <= 24, `the style knows ${columns} × ${rows}`)
      }
  })

  it('is square enough for a few', () => {
    assert.deepEqual(
      [gridFor(1, 16 / 9), gridFor(42, 16 / 9)],
      [
        { columns: 1, rows: 1 },
        { columns: 6, rows: 7 },
      ],
    )
  })
})
