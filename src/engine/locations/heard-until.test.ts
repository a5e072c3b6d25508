import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMemoryBus } from '#bus/memory.ts'
import { createHearing } from './heard-until.ts'

function bench(delays = { presenceMs: 3_000, resultMs: 500, callMs: 1_000 }) {
  const bus = { connected: true, isConnected: () => bus.connected, delays }
  return { bus, hearing: createHearing(bus, 0) }
}

describe('what an engine can have heard', () => {
  it('begins when everybody has had time to say that they are there', () => {
    const { hearing } = bench()
    assert.deepEqual([hearing.knowsWhoIsThere(2_999), hearing.heardUntilMs(2_999, 'calls')], [false, -Infinity])
    assert.deepEqual([hearing.knowsWhoIsThere(3_000), hearing.heardUntilMs(3_000, 'calls')], [true, 2_000])
    assert.equal(hearing.heardUntilMs(3_000, 'results'), 2_500)
    assert.equal(hearing.look(3_000), false, 'nobody has missed anything')
  })

  it('ends with the connection and begins anew some time after it is back, which is told once', () => {
    const { bus, hearing } = bench()
    bus.connected = false
    assert.equal(hearing.look(10_000), false)
    assert.equal(hearing.knowsWhoIsThere(10_000), false)
    assert.equal(hearing.heardUntilMs(10_000, 'calls'), -Infinity)
    hearing.look(12_000)
    bus.connected = true
    assert.deepEqual([hearing.look(14_999), hearing.knowsWhoIsThere(14_999)], [false, false])
    assert.deepEqual([hearing.look(15_000), hearing.look(15_050)], [true, false])
    assert.equal(hearing.heardUntilMs(15_000, 'calls'), 14_000)
  })

  it('begins anew after a standstill, also in one process', () => {
    const { hearing } = bench(createMemoryBus().delays)
    assert.deepEqual([hearing.knowsWhoIsThere(0), hearing.heardUntilMs(5, 'results')], [true, 5])
    hearing.beginAnew(30_000)
    assert.deepEqual([hearing.knowsWhoIsThere(32_999), hearing.heardUntilMs(32_999, 'calls')], [false, -Infinity])
    assert.equal(hearing.look(33_000), true)
    assert.equal(hearing.heardUntilMs(33_000, 'results'), 33_000)
    assert.equal(hearing.heardUntilMs(33_000, 'calls'), 32_000, 'a call is on its way before the bus has it')
  })
})
