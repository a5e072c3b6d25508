import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Played, playThread } from '../../test/support/played-thread.ts'
import { until } from '../../test/support/until.ts'

const program = new URL('../../test/support/lying-process.ts', import.meta.url)
const startMs = 60_000

type PlayedOptions = NonNullable<Parameters<typeof playThread>[0]>

function lie(lies: string, options: PlayedOptions = {}): Played {
  return playThread({ apart: { environment: { LIE: lies }, program }, ...options })
}

async function assertEnded({ warnings, deaths }: Played, why: RegExp): Promise<void> {
  await until('it is ended', () => deaths() > 0, startMs)
  const [{ message, details } = assert.fail()] = warnings
  assert.equal(message, 'The process of the probers died and will be restarted.')
  assert.match(String(details?.['error']), why)
}

describe('a process of probers that lies', () => {
  it('is heard with a hundred warnings a minute, and how many more there were', async () => {
    const played = lie('warnings')
    await until('it warns', () => played.warnings.length > 0, startMs)
    await played.stop()
    const { length } = played.warnings
    const last = played.warnings.at(-1)
    assert.equal(length, 101)
    assert.match(last?.message ?? '', /were left out/)
    assert.ok(Number(last?.details?.['count']) > 0)
  })

  it('is ended after a warning that is longer than any', async () => {
    await assertEnded(lie('long warning'), /^it sent what no prober sends \(A warning is longer/)
  })

  it('is ended when it counts more checks than can be counted', async () => {
    const counted: unknown[] = []
    const played = lie('counts', { onCounted: (...counts) => counted.push(counts) })
    await assertEnded(played, /^it sent what no prober sends \(More checks/)
    assert.deepEqual(counted, [])
  })

  it('says nothing of a location that is not its own', async () => {
    const played = lie('results')
    const heard: string[] = []
    played.bus.onResults(async (results) => void heard.push(...results.map(({ location }) => location)))
    await until('both are answered', () => played.warnings.length === 2, startMs)
    assert.deepEqual(heard, ['here'])
    assert.match(String(played.warnings.map(({ details }) => details?.['error'])), /there is no location of its sender/)
  })

  it('is told no configurations of a location that is not its own', async () => {
    const played = lie('configurations')
    const asked: string[] = []
    played.bus.onConfigurationRequest(async (location) => {
      asked.push(location)
      return []
    })
    await until('both are answered', () => played.warnings.length === 2, startMs)
    assert.deepEqual(asked, ['here'])
    assert.match(String(played.warnings.map(({ details }) => details?.['error'])), /there is no location of its sender/)
  })

  it('is ended when it announces a location that is not its own', async () => {
    const played = lie('presence')
    await assertEnded(played, /there is no location of its sender/)
    assert.ok(played.present.length > 0 && played.present.every((name) => name === 'p'))
  })
})
