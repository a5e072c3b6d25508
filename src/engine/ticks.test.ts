import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTicks } from './ticks.ts'

/** Clocks and a timer that the test moves, and what is wanted. */
function ticking() {
  const state = { nowMs: 1_000_000, steadyMs: 700, wantedMs: Infinity }
  const ticks: number[] = []
  let timer: { dueMs: number; work: () => void } | null = null
  let onTick: (() => void) | null = null
  const time = {
    nowMs: () => state.nowMs,
    steadyMs: () => state.steadyMs,
    after: (ms: number, work: () => void) => {
      const own = { dueMs: state.steadyMs + ms, work }
      timer = own
      return () => {
        if (timer === own) timer = null
      }
    },
  }
  const startedMs = state.steadyMs
  const { look, end } = createTicks({
    time,
    wantedMs: () => state.wantedMs,
    tick: () => {
      ticks.push(state.steadyMs - startedMs)
      onTick?.()
    },
  })
  const pass = (ms: number): void => {
    const untilMs = state.steadyMs + ms
    for (let next = timer; next !== null && next.dueMs <= untilMs; next = timer) {
      timer = null
      state.nowMs += next.dueMs - state.steadyMs
      state.steadyMs = next.dueMs
      next.work()
    }
    state.nowMs += untilMs - state.steadyMs
    state.steadyMs = untilMs
  }
  return { state, ticks, look, end, pass, duringTicks: (work: () => void) => (onTick = work) }
}

describe('the ticks of an engine', () => {
  it('come twice a second while nothing is wanted', () => {
    const { ticks, pass } = ticking()
    pass(2_000)
    assert.deepEqual(ticks, [500, 1_000, 1_500, 2_000])
  })

  it('come every 50 ms while something waits for them', () => {
    const { state, ticks, look, pass } = ticking()
    state.wantedMs = -Infinity
    look()
    pass(200)
    assert.deepEqual(ticks, [50, 100, 150, 200])
  })

  it('come shortly after what is due next, and no sooner for what is due later', () => {
    const { state, ticks, look, pass, duringTicks } = ticking()
    state.wantedMs = state.nowMs + 320
    look()
    duringTicks(() => (state.wantedMs = state.nowMs + 10_000))
    pass(900)
    assert.deepEqual(ticks, [325, 825])
  })

  it('come within 5 ms of what was wanted at once after a rest', () => {
    const { state, ticks, look, pass } = ticking()
    pass(300)
    state.wantedMs = state.nowMs
    look()
    pass(10)
    assert.deepEqual(ticks, [305])
  })

  it('follow one another no faster than every 50 ms, however often something is wanted', () => {
    const { state, ticks, look, pass } = ticking()
    state.wantedMs = -Infinity
    for (let turn = 0; turn < 100; turn += 1) {
      look()
      pass(1)
    }
    assert.deepEqual(ticks, [50, 100])
  })

  it('are not put off when less is wanted than before', () => {
    const { state, ticks, look, pass } = ticking()
    state.wantedMs = state.nowMs + 100
    look()
    state.wantedMs = Infinity
    look()
    pass(110)
    assert.deepEqual(ticks, [105])
  })

  it('see what a tick itself leaves to do', () => {
    const { state, ticks, look, pass, duringTicks } = ticking()
    duringTicks(() => {
      state.wantedMs = state.nowMs + 60
      look()
    })
    pass(700)
    assert.deepEqual(ticks, [500, 565, 630, 695])
  })

  it('do not come again for what a tick has done itself', () => {
    const { state, ticks, look, pass, duringTicks } = ticking()
    duringTicks(() => {
      state.wantedMs = state.nowMs
      look()
      state.wantedMs = Infinity
    })
    pass(1_000)
    assert.deepEqual(ticks, [500, 1_000])
  })

  it('come no more after their end, which may be said in a tick', () => {
    const { ticks, look, end, pass, duringTicks } = ticking()
    duringTicks(end)
    pass(500)
    look()
    pass(2_000)
    assert.deepEqual(ticks, [500])
  })

  it('keep their pace where the clock is set', () => {
    const { state, ticks, look, pass } = ticking()
    state.wantedMs = state.nowMs + 250
    look()
    pass(100)
    state.nowMs -= 3_600_000
    pass(1_000)
    assert.deepEqual(ticks, [255, 755])
  })
})
