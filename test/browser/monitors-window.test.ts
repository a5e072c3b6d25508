// Which lines of the monitor list are in the page, without a browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Line } from '../../web/src/pages/monitors/monitors-view.ts'
import { listOf } from '../../web/src/pages/monitors/monitors-rows.ts'
import { show } from '../../web/src/pages/monitors/monitors-view.ts'
import { rangeText, topsOf } from '../../web/src/pages/monitors/monitors-window.ts'
import { overviewRow } from '../support/overview.ts'

const monitorPx = 58
const at = 1_795_000_000_000
const shop = overviewRow({ id: 'shop', name: 'Shop', tags: [], checkedAt: at, latencyMs: 10, spark: '10:_' })
const list = listOf({
  at,
  today: '2026-11-22',
  horizon: '7',
  monitors: [shop],
  groups: [],
  incidents: [],
  quiet_since: null,
  next_cursor: null,
})
const monitor = show(list, {}).lines.filter((line) => 'row' in line)
const title: Line = { title: 'Production', count: 1, unwell: [] }

function rangeOf(...given: Parameters<typeof rangeText>): [first: number, last: number] {
  const [first = NaN, last = NaN] = rangeText(...given)
    .split(' ')
    .map(Number)
  return [first, last]
}

describe('the lines in the page', () => {
  it('lie one below the other, titles lower than monitors', () =>
    assert.deepEqual(topsOf([title, ...monitor, ...monitor], monitorPx), [0, 44, 102, 160]))

  it('are none where there are none', () => assert.deepEqual(rangeOf(topsOf([], monitorPx), 0, 900), [0, -1]))

  it('are the first where the list is below the window', () =>
    assert.deepEqual(
      rangeOf(
        topsOf(
          Array.from({ length: 100 }, () => title),
          monitorPx,
        ),
        -5000,
        900,
      ),
      [0, 8],
    ))

  it('are all that the window shows, and few more', () => {
    const [line] = monitor
    assert.ok(line !== undefined)
    const lines = fc.array(fc.constantFrom<Line>(title, line), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(lines, fc.integer({ min: -500, max: 20_000 }), fc.integer({ min: 0, max: 2000 }), (all, from, px) => {
        const tops = topsOf(all, monitorPx)
        const [first, last] = rangeOf(tops, from, px)
        const seen = all.flatMap((_, index) => {
          const [top = 0, bottom = 0] = tops.slice(index, index + 2)
          return bottom > from && top < from + px ? [index] : []
        })
        for (const index of seen) assert.ok(first <= index && index <= last)
        assert.ok(first >= 0 && last < all.length)
        assert.ok(last - first < px / 44 + 20)
      }),
    )
  })
})
