import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWatchdog } from './watchdog.ts'
import type { Work } from './work-marks.ts'

const work: Work = { type: 'check', location: 'here', monitorId: 'm' }

/** What the thread is at when the process looks, and the processor time that it has used by then. */
type Look = { stretch: number; check: number; cpuMs: number }

/** After how many looks the thread is ended; null when it is not. */
async function endsAfter(given: readonly Look[]): Promise<number | null> {
  let [now = { stretch: 0, check: 0, cpuMs: 0 }] = given
  let ended = false
  const watchdog = createWatchdog({
    reader: { seen: () => now, work: () => work },
    readCpuMs: async () => now.cpuMs,
    onOverrun: (which) => {
      assert.deepEqual(which, work)
      assert.ok(!ended, 'told twice')
      ended = true
    },
  })
  for (const [index, look] of given.entries()) {
    now = look
    await watchdog.tick()
    if (ended) return index
  }
  return null
}

/** So many looks, a quarter of a second apart. */
function looks(count: number, at: (index: number) => Look): Look[] {
  return Array.from({ length: count }, (_, index) => at(index))
}

describe('the watchdog', () => {
  it('ends a thread whose check has taken four seconds of the processor', async () => {
    // The first look sees the stretch, the second one that it lasts, and sixteen more are four seconds.
    assert.equal(await endsAfter(looks(40, (index) => ({ stretch: 7, check: 1, cpuMs: 250 * index }))), 17)
  })

  const spared: [what: string, given: Look[]][] = [
    ['that waits for the processor', looks(400, (index) => ({ stretch: 7, check: 1, cpuMs: 9 * index }))],
    ['that goes on with other checks', looks(400, (index) => ({ stretch: index, check: 1, cpuMs: 250 * index }))],
    ['that works on no check', looks(400, (index) => ({ stretch: 7, check: 0, cpuMs: 250 * index }))],
    [
      'whose checks take long each, and together longer',
      looks(400, (index) => ({ stretch: index >> 4, check: (index >> 4) + 1, cpuMs: 250 * index })),
    ],
    [
      'of which this process has not seen enough, because it stood still itself',
      looks(10, (index) => ({ stretch: 7, check: 1, cpuMs: 60_000 * index })),
    ],
  ]
  for (const [what, given] of spared)
    it(`spares a thread ${what}`, async () => {
      assert.equal(await endsAfter(given), null)
    })

  it('adds up the long stretches of one check, between which the thread turns', async () => {
    const given = looks(100, (index) => ({ stretch: Math.floor(index / 10), check: 1, cpuMs: 250 * index }))
    // Of ten looks at a stretch two find out that it lasts.
    assert.equal(await endsAfter(given), 19)
  })

  it('goes on looking when the thread has ended meanwhile', async () => {
    const watchdog = createWatchdog({
      reader: { seen: () => ({ stretch: 1, check: 1 }), work: () => work },
      readCpuMs: () => Promise.reject(new Error('The thread has ended.')),
      onOverrun: () => assert.fail('ended'),
    })
    for (let tick = 0; tick < 20; tick += 1) await watchdog.tick()
  })
})
