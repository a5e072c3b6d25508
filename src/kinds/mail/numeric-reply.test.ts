import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { numericReply, type NumericReply } from './numeric-reply.ts'

describe('a numeric reply', () => {
  it('gives its code, and its lines without it', () => {
    const cases: [string[], NumericReply | 'unfinished'][] = [
      [['220 hi'], { code: 220, texts: ['hi'], firstLine: '220 hi' }],
      [['220'], { code: 220, texts: [''], firstLine: '220' }],
      [['250-a', '250-b', '250 c'], { code: 250, texts: ['a', 'b', 'c'], firstLine: '250-a' }],
      [['250-a', ' b', '250'], { code: 250, texts: ['a', ' b', ''], firstLine: '250-a' }],
      [['250-a'], 'unfinished'],
      [['250-a', '251 b'], 'unfinished'],
      [['250-a', '250-b'], 'unfinished'],
    ]
    for (const [lines, expected] of cases) {
      const seen: NumericReply[] = []
      const { read } = numericReply('SMTP', (reply) => {
        seen.push(reply)
        return null
      })
      assert.equal(read(lines), expected === 'unfinished' ? 'unfinished' : 'finished')
      assert.deepEqual(seen, expected === 'unfinished' ? [] : [expected])
    }
  })
})
