import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { everyAfter } from './every-after.ts'

/** Work that the test lets end, and timers that it lets pass. */
function repeating() {
  const timers: (() => void)[] = []
  const runs: PromiseWithResolvers<void>[] = []
  const errors: unknown[] = []
  const after = (_ms: number, work: () => void): (() => void) => {
    timers.push(work)
    return () => {
      const place = timers.indexOf(work)
      if (place !== -1) timers.splice(place, 1)
    }
  }
  const work = (): Promise<void> => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  }
  const end = everyAfter({ after }, { pauseMs: 1_000, work, onError: (error) => errors.push(error) })
  return { timers, runs, errors, end, pass: () => timers.shift()?.() }
}

async function settle(change: () => void): Promise<void> {
  change()
  await new Promise((resolve) => setImmediate(resolve))
}

describe('repeated work', () => {
  it('begins after a pause, and again a pause after it has ended or failed', async () => {
    const { timers, runs, errors, pass } = repeating()
    assert.deepEqual([timers.length, runs.length], [1, 0])
    pass()
    assert.deepEqual([timers.length, runs.length], [0, 1])
    await settle(() => runs[0]?.resolve())
    assert.deepEqual([timers.length, runs.length], [1, 1])
    pass()
    await settle(() => runs[1]?.reject('away'))
    assert.deepEqual([timers.length, runs.length, errors], [1, 2, ['away']])
  })

  it('begins no more once it was ended, also while it runs', async () => {
    const { timers, runs, end, pass } = repeating()
    pass()
    end()
    await settle(() => runs[0]?.resolve())
    assert.equal(timers.length, 0)
    const other = repeating()
    other.end()
    assert.equal(other.timers.length, 0)
  })
})
