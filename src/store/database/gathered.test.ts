import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gathered } from './gathered.ts'

function lengths(): { asked: string[][]; find: (key: string) => Promise<number | undefined> } {
  const asked: string[][] = []
  const find = gathered(async (keys) => {
    asked.push([...keys])
    return new Map(keys.filter((key) => key !== 'missing').map((key) => [key, key.length]))
  })
  return { asked, find }
}

describe('look-ups that are gathered', () => {
  it('are one question, in which a key stands once, and each has its own answer', async () => {
    const { asked, find } = lengths()
    const found = await Promise.all(['a', 'bb', 'missing', 'a'].map(find))
    assert.deepEqual(found, [1, 2, undefined, 1])
    assert.deepEqual(asked, [['a', 'bb', 'missing']])
  })

  it('do not wait for those of an earlier turn', async () => {
    const { promise: never } = Promise.withResolvers<ReadonlyMap<string, number>>()
    const find = gathered(async (keys) => (keys.includes('stuck') ? never : new Map([['quick', 1]])))
    void find('stuck')
    await new Promise(setImmediate)
    assert.equal(await find('quick'), 1)
  })

  it('are of 100 keys at most', async () => {
    const { asked, find } = lengths()
    const keys = Array.from({ length: 250 }, (_, index) => 'x'.repeat(index))
    assert.deepEqual(await Promise.all(keys.map(find)), Array.from(keys.keys()))
    assert.deepEqual(
      asked.map(({ length }) => length),
      [100, 100, 50],
    )
  })

  it('fail with their question, and the next ones are asked anew', async () => {
    let fails = true
    const find = gathered(async () => {
      if (fails) throw new Error('The database is away.')
      return new Map([['a', 1]])
    })
    const outcomes = await Promise.allSettled([find('a'), find('b')])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    fails = false
    assert.equal(await find('a'), 1)
  })
})
