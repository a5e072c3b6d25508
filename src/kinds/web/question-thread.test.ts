import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { hostilePattern, hostileText } from '../../../test/support/hostile-pattern.ts'
import { openAsking } from './question-thread.ts'
import type { Questions } from './questions.ts'

const never = new AbortController().signal
const easy: Questions = {
  body: 'abc',
  questions: [
    { type: 'pattern', pattern: 'b+' },
    { type: 'pattern', pattern: '^b' },
    { type: 'pattern', pattern: '^b', text: 'b' },
  ],
}

describe('the thread for questions', () => {
  const asking = openAsking({ answerMs: 300 })
  after(() => asking.close())

  it('answers in the order of the questions', async () => {
    assert.deepEqual(await asking.ask('one', easy, never), { type: 'answered', answers: [null, '', null] })
  })

  const hostile: [what: string, questions: Questions][] = [
    ['a pattern', { body: hostileText, questions: [{ type: 'pattern', pattern: hostilePattern }] }],
    [
      'an expression without an end',
      { body: '{}', questions: [{ type: 'jsonata', expression: '($f := function($n){$f($n + 1)}; $f(0))' }] },
    ],
    [
      'an expression that makes much',
      { body: '{}', questions: [{ type: 'jsonata', expression: '$count([1..9999999].{"a": [1..9999]})' }] },
    ],
    [
      "a pattern of a schema, which is the language's own",
      {
        body: JSON.stringify(`${'a'.repeat(40)}!`),
        questions: [{ type: 'json_schema', schema: { pattern: '^(a+)+$' } }],
      },
    ],
    [
      'a selector with many ways',
      {
        body: '<p></p>'.repeat(20_000),
        questions: [{ type: 'elements', expected: [{ selector: 'p:has(~ a ~ b)' }], isXml: false }],
      },
    ],
  ]
  for (const [what, questions] of hostile)
    it(`gives up ${what}, and answers the next`, async () => {
      assert.equal((await asking.ask('one', questions, never)).type, 'given up')
      assert.equal((await asking.ask('one', easy, never)).type, 'answered')
    })

  it('says what is nested too deeply, and answers the next', async () => {
    const body = '['.repeat(20_000) + ']'.repeat(20_000)
    const schema = { $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' }
    assert.deepEqual(await asking.ask('one', { body, questions: [{ type: 'json_schema', schema }] }, never), {
      type: 'answered',
      answers: ['The answer is nested too deeply'],
    })
    assert.equal((await asking.ask('one', easy, never)).type, 'answered')
  })

  it('lets owners take turns, and refuses more than may wait', async () => {
    const order: string[] = []
    const ask = (owner: string): Promise<unknown> =>
      asking.ask(owner, easy, never).then(
        () => order.push(owner),
        () => order.push(`${owner} refused`),
      )
    await Promise.all([...Array.from({ length: 12 }, () => ask('many')), ask('few')])
    assert.deepEqual([order[0], order.indexOf('few') < 4, order.length], ['many refused', true, 13])
  })

  it('rejects where the check has no time left', async () => {
    const questions = hostile.map(([, each]) => each).find(({ body }) => body === hostileText) ?? easy
    await assert.rejects(asking.ask('one', easy, AbortSignal.abort(new Error('no time'))), /no time/)
    await assert.rejects(asking.ask('one', questions, AbortSignal.timeout(20)))
    assert.equal((await asking.ask('one', easy, never)).type, 'answered')
  })
})
