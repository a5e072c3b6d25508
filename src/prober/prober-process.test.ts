import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Result } from '#core/results/result.ts'
import { assign, playThread, tcpCheck } from '../../test/support/played-thread.ts'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'

const babbling = new URL('../../test/support/babbling-process.ts', import.meta.url)
const environment = {}

describe('probers in a process of their own', () => {
  it('check what they are assigned, and tell what they did', async () => {
    const counted: (number | null)[] = []
    const played = playThread({
      apart: { environment },
      onCounted: (_, counts) => counted.push(counts === null ? null : counts.checks.length),
    })
    const { bus, present } = played
    const url = `127.0.0.1:${await freePort()}`
    const results: Result[] = []
    bus.onConfigurationRequest(async (_, ids) => ids.map((id) => tcpCheck(id, url)))
    bus.onResults(async (list) => void results.push(...list))
    await until('the prober is present', () => present.length > 0, 60_000)
    assert.deepEqual(played.begun(), [true, 0])
    assign(played, ['m1', 'm2'], 1)
    await until('both results', () => results.length === 2, 60_000)
    assert.match(String(results[0]?.verdict?.error), /refused/)
    await until('they are counted', () => counted.some((outcomes) => outcomes !== null && outcomes > 0))
    const configuration = tcpCheck('a-trial', url)
    const verdict = await bus.tryCheck('here', present[0] ?? '', { configuration, withinMs: 60_000 })
    assert.match(String(verdict?.error), /refused/)
    await played.stop()
    assert.deepEqual([counted.at(-1), played.deaths(), played.warnings], [null, 0, []])
  })

  it('are ended and begun anew, later each time, when they say what no prober says', async () => {
    const played = playThread({ apart: { environment, program: babbling } })
    await until('two deaths', () => played.deaths() === 2, 60_000)
    const [{ message, details } = assert.fail('nothing was said')] = played.warnings
    assert.equal(message, 'The process of the probers died and will be restarted.')
    assert.match(String(details?.['error']), /^it sent what no prober sends/)
    assert.deepEqual(
      played.warnings.map((warning) => warning.details?.['again_in_ms']),
      [1000, 2000],
    )
    assert.deepEqual([played.begun(), played.present], [[false, 1], []])
    await played.stop()
  })
})
