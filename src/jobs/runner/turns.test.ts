import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTurns } from './turns.ts'

const long = 20_000

describe('turns', () => {
  it('let one through at a time, in the order in which they came', async () => {
    const turns = createTurns(long)
    const through: number[] = []
    const take = async (number: number): Promise<void> => {
      await turns.begin()
      through.push(number)
      await Promise.resolve()
      assert.equal(through.at(-1), number, 'nobody else is let through meanwhile')
      turns.end(0)
    }
    await Promise.all([1, 2, 3].map(take))
    assert.deepEqual(through, [1, 2, 3])
  })

  it('pause where one ends with a pause', async () => {
    const turns = createTurns(long)
    await turns.begin()
    const endedAt = performance.now()
    turns.end(50)
    await turns.begin()
    const waitedMs = performance.now() - endedAt
    assert.ok(waitedMs >= 45, `${waitedMs} ms`)
  })

  it('do not pause when somebody hurries, during the turn or the pause', async () => {
    const startedAt = performance.now()
    const turns = createTurns(long)
    await turns.begin()
    turns.hurry()
    turns.end(long)
    await turns.begin()
    turns.end(long)
    const next = turns.begin()
    turns.hurry()
    await next
    turns.end(0)
    await turns.begin()
    turns.end(0)
    assert.ok(performance.now() - startedAt < long)
  })

  it('go on after a while when one is never ended', async () => {
    const turns = createTurns(20)
    await turns.begin()
    await turns.begin()
  })

  it('take an end and a hurry when none is under way', async () => {
    const turns = createTurns(long)
    turns.hurry()
    turns.end(long)
    await turns.begin()
    turns.end(0)
    turns.end(long)
    turns.hurry()
    await turns.begin()
    turns.end(0)
  })
})
