import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recent } from './recent-answers.ts'

describe('what is read at most so often', () => {
  it('is read once for all who ask meanwhile', async () => {
    let reads = 0
    const ask = recent(async () => (reads += 1), { maxAgeMs: 60_000, deadlineMs: 1_000 })
    assert.deepEqual(await Promise.all([ask(), ask()]), [1, 1])
    assert.equal(await ask(), 1)
  })

  it('is read again when it is older', async () => {
    let reads = 0
    const ask = recent(async () => (reads += 1), { maxAgeMs: -1, deadlineMs: 1_000 })
    assert.equal(await ask(), 1)
    assert.equal(await ask(), 2)
  })

  it('is read again after a failure', async () => {
    let reads = 0
    const ask = recent(
      async () => {
        reads += 1
        if (reads === 1) throw new Error('away')
        return reads
      },
      { maxAgeMs: 60_000, deadlineMs: 1_000 },
    )
    await assert.rejects(ask(), /away/)
    assert.equal(await ask(), 2)
  })

  it('is not waited for beyond the deadline', async () => {
    const ask = recent(() => new Promise<never>(() => {}), { maxAgeMs: 60_000, deadlineMs: 20 })
    await assert.rejects(ask(), /no answer within 20 ms/)
  })
})
