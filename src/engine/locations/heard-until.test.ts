import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMemoryBus } from '#bus/memory.ts'
import { callSettledMs } from '#core/monitors/heartbeat.ts'
import { createHeardUntil } from './heard-until.ts'

function bench(delays = { presenceMs: 3_000, resultMs: 500, callMs: 1_000 }) {
  const bus = { connected: true, isConnected: () => bus.connected, delays }
  return { bus, heardUntil: createHeardUntil(bus, 0) }
}

describe('what an engine can have heard', () => {
  it('begins when every prober has had time to say that it is there', () => {
    const { heardUntil } = bench()
    assert.deepEqual([heardUntil.knowsWhoIsThere(2_999), heardUntil.timeMs(2_999, 'calls')], [false, -Infinity])
    assert.deepEqual([heardUntil.knowsWhoIsThere(3_000), heardUntil.timeMs(3_000, 'calls')], [true, 2_000])
    assert.equal(heardUntil.timeMs(3_000, 'results'), 2_500)
    assert.equal(heardUntil.look(3_000), false, 'no prober has missed anything')
  })

  it('ends with the connection and begins anew some time after it is back, which is told once', () => {
    const { bus, heardUntil } = bench()
    bus.connected = false
    assert.equal(heardUntil.look(10_000), false)
    assert.equal(heardUntil.knowsWhoIsThere(10_000), false)
    assert.equal(heardUntil.timeMs(10_000, 'calls'), -Infinity)
    heardUntil.look(12_000)
    bus.connected = true
    assert.deepEqual([heardUntil.look(14_999), heardUntil.knowsWhoIsThere(14_999)], [false, false])
    assert.deepEqual([heardUntil.look(15_000), heardUntil.look(15_050)], [true, false])
    assert.equal(heardUntil.timeMs(15_000, 'calls'), 14_000)
  })

  it('begins anew after a standstill, also in one process', () => {
    const { heardUntil } = bench(createMemoryBus().delays)
    assert.deepEqual([heardUntil.knowsWhoIsThere(0), heardUntil.timeMs(5, 'results')], [true, 5])
    heardUntil.beginAnew(30_000)
    assert.deepEqual([heardUntil.knowsWhoIsThere(32_999), heardUntil.timeMs(32_999, 'calls')], [false, -Infinity])
    assert.equal(heardUntil.look(33_000), true)
    assert.equal(heardUntil.timeMs(33_000, 'results'), 33_000)
    const callsMs = 33_000 - callSettledMs
    assert.equal(heardUntil.timeMs(33_000, 'calls'), callsMs, 'a call is on its way before the bus has it')
  })
})
