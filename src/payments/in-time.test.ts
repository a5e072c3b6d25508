import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inTime } from './in-time.ts'

describe('what is waited for in time', () => {
  it('is what the work resolves to', async () => {
    assert.equal(await inTime(60_000, 'late', () => Promise.resolve('done')), 'done')
  })

  it('is the other when the time is up, and the work is told', async () => {
    const told: AbortSignal[] = []
    const never = (signal: AbortSignal): Promise<string> => {
      told.push(signal)
      return Promise.withResolvers<string>().promise
    }
    assert.equal(await inTime(5, 'late', never), 'late')
    assert.deepEqual(
      told.map(({ aborted }) => aborted),
      [true],
    )
  })

  it('fails as the work fails', async () => {
    await assert.rejects(
      inTime(60_000, 'late', () => Promise.reject(new Error('broken'))),
      /broken/,
    )
  })
})
