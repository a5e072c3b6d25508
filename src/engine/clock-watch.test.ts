import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { announceMs, goneAfterMs } from '#core/monitors/check.ts'
import { createHeardUntil } from '#engine/locations/heard-until.ts'
import { createClockWatch } from './clock-watch.ts'

const firstMs = 1_000_000
const delays = { presenceMs: 0, resultMs: 0, callMs: 0 }

/** The clocks of an engine, and a database that says what it holds when the test lets it. */
function watching() {
  const clocks = { nowMs: firstMs, steadyMs: 700 }
  const jumps: number[] = []
  const settling: (() => void)[] = []
  const pauses: [ms: number, end: () => void][] = []
  const heardUntil = createHeardUntil({ isConnected: () => true, delays }, firstMs)
  const isAwake = createClockWatch({
    ...clocks,
    time: { pause: (ms) => new Promise((resolve) => pauses.push([ms, resolve])) },
    heardUntil,
    settle: () => new Promise((resolve) => settling.push(resolve)),
    onJump: (ms) => jumps.push(ms),
  })
  /** So much time passes, by which somebody may set the clock as well, and then there is a tick. */
  const tickAfter = (ms: number, setMs = 0): boolean => {
    clocks.nowMs += ms + setMs
    clocks.steadyMs += ms
    return isAwake({ ...clocks })
  }
  return { tickAfter, jumps, settling, pauses, knows: () => heardUntil.knowsWhoIsThere(clocks.nowMs) }
}

/** What was waited for is over, and has its consequences. */
async function end(waiting: (() => void) | undefined): Promise<void> {
  waiting?.()
  await new Promise((resolve) => setImmediate(resolve))
}

describe('the clocks of an engine', () => {
  it('say that it is awake while it ticks', () => {
    const { tickAfter, settling } = watching()
    assert.deepEqual(
      [50, 50, 2_000, 50].map((ms) => tickAfter(ms)),
      [true, true, true, true],
    )
    assert.equal(settling.length, 0)
  })

  it('say after more than two seconds that it stood still, until it knows what it holds', async () => {
    const { tickAfter, settling, jumps } = watching()
    assert.deepEqual([tickAfter(2_001), tickAfter(50), tickAfter(3_000)], [false, false, false])
    assert.equal(settling.length, 1)
    await end(settling[0])
    assert.deepEqual([tickAfter(50), tickAfter(2_001)], [true, false])
    assert.deepEqual([settling.length, jumps], [2, []])
  })

  it('wait five seconds for the database to say so', async () => {
    const { tickAfter, pauses } = watching()
    tickAfter(2_001)
    const [[ms, over] = assert.fail('it waits for nothing')] = pauses
    assert.deepEqual([ms, tickAfter(50)], [5_000, false])
    await end(over)
    assert.equal(tickAfter(50), true)
  })

  it('say that it first has to hear who is there, where probers that are there may look gone', () => {
    const deafMs = goneAfterMs - announceMs
    for (const [gapMs, knows] of [
      [deafMs, true],
      [deafMs + 1, false],
    ] as const) {
      const clocks = watching()
      clocks.tickAfter(gapMs)
      assert.equal(clocks.knows(), knows, `after ${gapMs} ms`)
    }
  })

  it('are followed without a word where they are put right by two seconds at most', () => {
    const { tickAfter, jumps } = watching()
    assert.deepEqual([tickAfter(50, -2_000), tickAfter(50, 1_900)], [true, true])
    assert.deepEqual(jumps, [])
  })

  for (const setMs of [-2_001, 2_001, 3_600_000])
    it(`jump by ${setMs} ms, however long it stood still meanwhile, and then plan nothing`, () => {
      const { tickAfter, jumps, settling } = watching()
      tickAfter(50)
      assert.equal(tickAfter(60_000, setMs), false)
      assert.deepEqual([jumps, settling.length], [[setMs], 0])
    })
})
