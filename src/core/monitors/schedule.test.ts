import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dueFrom, nextDueAt, partitionOf, phaseMs } from './schedule.ts'

describe('schedule', () => {
  it('is due at once when now lies exactly in phase, else at the next time that does', () => {
    const cases = [
      [0, 0, 10_000, 0],
      [1, 0, 10_000, 10_000],
      [10_000, 0, 10_000, 10_000],
      [12_000, 2_000, 10_000, 12_000],
      [12_001, 2_000, 10_000, 22_000],
      [11_999, 2_000, 10_000, 12_000],
      [1_000, 2_000, 10_000, 2_000],
    ] as const
    for (const [now, phase, interval, expected] of cases)
      assert.equal(dueFrom(now, { phaseMs: phase, intervalMs: interval }), expected, `now ${now}, phase ${phase}`)
  })

  it('reads the phase from the first 48 bits of an id, and the partition from the last byte', () => {
    const id = '1234abcd-4567-7890-8fff-fffffffff14a'
    assert.equal(phaseMs(id, 10 ** 15), 0x1234abcd4567)
    assert.equal(partitionOf(id), 0x4a - 64)
  })

  it('gives a time in phase, never before now and less than one interval away', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.integer({ min: 10, max: 86_400 }),
        fc.integer({ min: 1.7e12, max: 4e12 }),
        (id, interval, nowMs) => {
          const due = nextDueAt(id, interval, new Date(nowMs)).getTime()
          assert.ok(due >= nowMs && due < nowMs + interval * 1000)
          assert.equal(due % (interval * 1000), phaseMs(id, interval * 1000))
          assert.equal(nextDueAt(id, interval, new Date(due)).getTime(), due)
        },
      ),
    )
  })

  it('spreads monitors evenly over their interval and over the partitions', () => {
    const ids = Array.from({ length: 20_000 }, () => randomUUID())
    const tenths = Array.from({ length: 10 }, () => 0)
    const partitions = new Set<number>()
    for (const id of ids) {
      const tenth = Math.floor(phaseMs(id, 60_000) / 6_000)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
      partitions.add(partitionOf(id))
    }
    assert.equal(partitions.size, 64)
    for (const count of tenths)
      assert.ok(count > 1_700 && count < 2_300, `a tenth of the interval holds ${count} of 20000`)
  })
})
