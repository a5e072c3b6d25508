import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Result, Verdict } from '#core/results/result.ts'
import { assign, burningWorker, playThread, tcpCheck } from '../../test/support/played-thread.ts'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'
import type { ProberThreadsOptions } from './threads.ts'
import { endedReasons } from './set-aside.ts'

/** A second is as good as the four of a service, which watchdog.test.ts holds, and more than any other check here takes. */
const mostCpuMs = 1000

describe('the threads of the probers', () => {
  it('say in the log of the process what went wrong in them', async () => {
    const played = playThread()
    const { bus, present, warnings, areReady, begun } = played
    assert.equal(areReady(), false)
    assert.deepEqual(begun(), [false, 1])
    bus.onConfigurationRequest(() => Promise.reject(new Error('The database is away.')))
    await until('the prober is present', async () => present.length > 0)
    await until('the threads are ready', async () => areReady())
    assert.deepEqual(begun(), [true, 0])
    assign(played, ['m'], 1)
    await until('its warning', async () => warnings.length > 0)
    assert.equal(warnings[0]?.message, 'Configurations could not be read.')
    assert.match(String(warnings[0]?.details?.['error']), /The database is away/)
    await played.stop()
  })

  it('come back when they run out of memory, which is logged and counted, and check again', async () => {
    const played = playThread({ maxHeapMb: 48 })
    const { bus, present, warnings, deaths, areReady, begun } = played
    const url = `127.0.0.1:${await freePort()}`
    const results: Result[] = []
    // Configurations are what a thread keeps, so these fill its memory.
    let keyword: string | null = 'x'.repeat(400_000)
    bus.onConfigurationRequest(async (_, ids) => ids.map((id) => tcpCheck(id, url, keyword)))
    bus.onResults(async (list) => void results.push(...list))
    await until('the prober is present', async () => present.length > 0, 60_000)
    for (let round = 1; deaths() === 0 && round < 100; round++) {
      const ids = Array.from({ length: 20 }, (_, index) => `m${round}-${index}`)
      const before = results.length
      assign(played, ids, round)
      await until('results, or the end', async () => results.length === before + ids.length || deaths() > 0, 60_000)
    }
    assert.deepEqual([deaths(), areReady(), begun()], [1, false, [true, 1]])
    assert.equal(warnings[0]?.message, 'A prober thread died and will be restarted.')
    const { thread, error, again_in_ms: againInMs } = warnings[0]?.details ?? {}
    assert.deepEqual([thread, againInMs], ['test-0', 1000])
    assert.match(String(error), /ERR_WORKER_OUT_OF_MEMORY/)
    keyword = null
    results.length = 0
    present.length = 0
    await until('the prober is present again', async () => present.length > 0, 60_000)
    assign(played, ['after'], 1000)
    await until('a result', async () => results.length === 1, 60_000)
    assert.match(String(results[0]?.verdict?.error), /refused/)
    assert.ok(areReady())
    await played.stop()
  })

  it('are ended when a check takes the processor: its monitor is set aside and the others are checked', async () => {
    const asides: string[] = []
    const onSetAside: ProberThreadsOptions['onSetAside'] = ({ monitorId }) => void asides.push(monitorId)
    const played = playThread({ program: burningWorker, onSetAside, mostCpuMs })
    const { bus, present, warnings, deaths } = played
    const url = `127.0.0.1:${await freePort()}`
    const verdicts = new Map<string, Verdict | null>()
    bus.onConfigurationRequest(async (_, ids) =>
      ids.map((id) => tcpCheck(id, url, id === 'hostile' ? 'burn 60000' : null)),
    )
    bus.onResults(async (list) => list.forEach(({ monitorId, verdict }) => verdicts.set(monitorId, verdict)))
    await until('the prober is present', () => present.length > 0, 60_000)
    assign(played, ['hostile', 'good'], 1)
    await until('the thread is ended', () => deaths() === 1, 60_000)
    assert.equal(verdicts.has('hostile'), false)
    assert.deepEqual(asides, ['hostile'])
    const [{ message, details } = assert.fail('nothing was said')] = warnings
    assert.equal(message, 'A check used up the processor time of its thread, so the thread was ended.')
    assert.deepEqual(details, { thread: 'test-0', location: 'here', monitor_id: 'hostile' })
    const before = present.length
    await until('the prober is present again', () => present.length > before, 60_000)
    for (const round of [2, 3]) {
      verdicts.clear()
      assign(played, ['hostile', 'good'], round)
      await until('both are told', () => verdicts.size === 2, 60_000)
      assert.match(String(verdicts.get('good')?.error), /refused/)
      const { status, error } = verdicts.get('hostile') ?? assert.fail('no verdict')
      assert.equal(status, 'degraded')
      assert.match(String(error), /^The check was ended: .* This location checks again after /)
    }
    assert.deepEqual([deaths(), warnings.length], [1, 1])
    await played.stop()
  })

  it('are ended by a trial as well, which is answered', async () => {
    const played = playThread({ program: burningWorker, mostCpuMs })
    const { bus, present, deaths, areReady } = played
    const url = `127.0.0.1:${await freePort()}`
    await until('the threads are ready', () => areReady(), 60_000)
    const configuration = { ...tcpCheck('a-trial', url, 'burn 60000'), shareKey: 'a' }
    const prober = present[0] ?? assert.fail('No prober is there.')
    const verdict = await bus.tryCheck('here', prober, { configuration, withinMs: 60_000 })
    assert.deepEqual([verdict?.status, verdict?.error, deaths()], ['degraded', endedReasons.processor, 1])
    const again = { ...configuration, monitorId: 'another-trial', url: '127.0.0.1:1' }
    const refused = await bus.tryCheck('here', prober, { configuration: again, withinMs: 60_000 })
    assert.match(String(refused?.error), /checks again after/)
    assert.equal(deaths(), 1)
    await played.stop()
  })

  it('bear a check that takes the processor for a while', async () => {
    const played = playThread({ program: burningWorker })
    const { bus, present, deaths } = played
    const url = `127.0.0.1:${await freePort()}`
    const results: Result[] = []
    bus.onConfigurationRequest(async (_, ids) => ids.map((id) => tcpCheck(id, url, 'burn 400')))
    bus.onResults(async (list) => void results.push(...list))
    await until('the prober is present', () => present.length > 0, 60_000)
    assign(played, ['m1', 'm2'], 1)
    await until('both results', () => results.length === 2, 60_000)
    assert.equal(deaths(), 0)
    await played.stop()
  })

  it('are started again later and later when they die of their start', async () => {
    const played = playThread({ maxHeapMb: 4 })
    await until('two deaths', async () => played.deaths() === 2, 60_000)
    assert.deepEqual(
      played.warnings.map(({ details }) => details?.['again_in_ms']),
      [1000, 2000],
    )
    await played.stop()
    assert.deepEqual([played.deaths(), played.present, played.areReady()], [2, [], false])
  })
})
