import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLookupCache, type FamilyAnswer, type LookupCache } from './lookup-cache.ts'

/** A cache before name servers that give the same answer each time, and what they were asked. */
function cacheOf(answer: Partial<FamilyAnswer>): { cache: LookupCache; asked: string[]; clock: { nowMs: number } } {
  const asked: string[] = []
  const clock = { nowMs: 0 }
  const cache = createLookupCache(
    async (name, family) => {
      asked.push(`${name} ${family}`)
      return { addresses: ['192.0.2.1'], code: null, ttlSeconds: 30, ...answer }
    },
    () => clock.nowMs,
  )
  return { cache, asked, clock }
}

describe('a look-up that is remembered', () => {
  const lasting: [what: string, answer: Partial<FamilyAnswer>, lastsMs: number][] = [
    ['for its time to live', { ttlSeconds: 30 }, 30_000],
    ['for a minute at most', { ttlSeconds: 3_600 }, 60_000],
    ['for five seconds where it failed', { addresses: [], code: 'ENOTFOUND', ttlSeconds: 0 }, 5_000],
  ]
  for (const [what, answer, lastsMs] of lasting)
    it(`is so ${what}`, async () => {
      const { cache, asked, clock } = cacheOf(answer)
      await cache.look('a.example', 4, false)
      clock.nowMs = lastsMs - 1
      const again = await cache.look('a.example', 4, false)
      assert.deepEqual(again.code, answer.code ?? null)
      assert.equal(asked.length, 1)
      clock.nowMs = lastsMs
      await cache.look('a.example', 4, false)
      assert.equal(asked.length, 2)
    })

  it('is not so with a time to live of none', async () => {
    const { cache, asked } = cacheOf({ ttlSeconds: 0 })
    for (let looks = 0; looks < 2; looks += 1) await cache.look('a.example', 4, false)
    assert.equal(asked.length, 2)
  })

  it('is of one name and one family', async () => {
    const { cache, asked } = cacheOf({})
    for (const name of ['a.example', 'b.example', 'a.example'])
      for (const family of [4, 6] as const) await cache.look(name, family, false)
    assert.deepEqual(asked, ['a.example 4', 'a.example 6', 'b.example 4', 'b.example 6'])
  })

  it('is asked for anew where a fresh answer is wanted, which then is remembered', async () => {
    const { cache, asked, clock } = cacheOf({ ttlSeconds: 10 })
    await cache.look('a.example', 4, false)
    clock.nowMs = 9_000
    await cache.look('a.example', 4, true)
    clock.nowMs = 18_000
    await cache.look('a.example', 4, false)
    assert.equal(asked.length, 2)
  })

  it('is shared while it is under way, also where a fresh answer is wanted', async () => {
    const { cache, asked } = cacheOf({})
    await Promise.all([cache.look('a.example', 4, true), cache.look('a.example', 4, true)])
    assert.equal(asked.length, 1)
  })

  it('is one of 10,000, of which the oldest makes room', async () => {
    const { cache, asked } = cacheOf({})
    for (let at = 0; at < 10_000; at += 1) await cache.look(`${at}.example`, 4, false)
    await cache.look('0.example', 4, false)
    assert.equal(asked.length, 10_000)
    await cache.look('one-more.example', 4, false)
    await cache.look('1.example', 4, false)
    assert.equal(asked.length, 10_001)
    await cache.look('0.example', 4, false)
    assert.equal(asked.length, 10_002)
  })
})
