import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { hostilePattern, hostileText } from '../../../test/support/hostile-pattern.ts'
import { openPatterns, type PatternQuestion } from './pattern-thread.ts'

const never = new AbortController().signal
const easy: PatternQuestion[] = [
  { pattern: 'b+', text: 'abc' },
  { pattern: '^b', text: 'abc' },
]
const hostile: PatternQuestion[] = [{ pattern: hostilePattern, text: hostileText }]

describe('the thread for patterns', () => {
  const patterns = openPatterns({ matchMs: 300 })
  after(() => patterns.close())

  it('answers in the order of the questions', async () => {
    assert.deepEqual(await patterns.match('one', easy, never), { type: 'matched', matches: [true, false] })
  })

  it('gives up what takes too long, and answers the next', async () => {
    assert.deepEqual(await patterns.match('one', hostile, never), { type: 'given up', why: 'time' })
    assert.equal((await patterns.match('one', easy, never)).type, 'matched')
  })

  it('lets owners take turns, and refuses more than may wait', async () => {
    const order: string[] = []
    const ask = (owner: string, questions: PatternQuestion[]): Promise<unknown> =>
      patterns.match(owner, questions, never).then(
        () => order.push(owner),
        () => order.push(`${owner} refused`),
      )
    await Promise.all([...Array.from({ length: 12 }, () => ask('many', easy)), ask('few', easy)])
    assert.deepEqual([order[0], order.indexOf('few') < 4, order.length], ['many refused', true, 13])
  })

  it('rejects where the check has no time left', async () => {
    await assert.rejects(patterns.match('one', easy, AbortSignal.abort(new Error('no time'))), /no time/)
    await assert.rejects(patterns.match('one', hostile, AbortSignal.timeout(20)))
    assert.equal((await patterns.match('one', easy, never)).type, 'matched')
  })
})
