import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { roundGraceMs } from '#core/results/round.ts'
import { silenceBetween, silenceSince } from './silence.ts'
import { storeMs } from './unknown-since.ts'

describe('silence of a monitor', () => {
  const cases: [seconds: number, untilSeconds: number, silence: [number, number] | null][] = [
    [10, 10, null],
    [10, 120, null],
    [10, 130, [10, 130]],
    [60, 120, null],
    [60, 180, [60, 180]],
    [300, 600, null],
    [300, 900, [300, 900]],
  ]
  for (const [seconds, untilSeconds, silence] of cases)
    it(`is ${silence?.join(' to ') ?? 'none'} of a check every ${seconds} s, ${untilSeconds} s after the last`, () =>
      assert.deepEqual(
        silenceBetween({ intervalMs: seconds * 1000 }, { knownMs: 0, nextMs: untilSeconds * 1000 }),
        silence?.map((second) => second * 1000) ?? null,
      ))

  it('begins once no round can tell anything any more', () => {
    const rhythm = { intervalMs: 60_000, timeoutMs: 10_000 }
    const nowMs = 120_000 + 10_000 + roundGraceMs + storeMs
    assert.equal(silenceSince(rhythm, { knownMs: 0, nowMs }), null)
    assert.equal(silenceSince(rhythm, { knownMs: 0, nowMs: nowMs + 1 }), 60_000)
  })
})
