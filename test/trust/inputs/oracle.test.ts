import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeOperations } from './operations.ts'
import { faultOf } from './oracle.ts'
import { randomOf } from './random.ts'
import { tryParsers } from './try-parsers.ts'

const { operations } = describeOperations(['amsterdam'])
const operation = operations.find(({ name }) => name === 'list_slos') ?? assert.fail()
const json = new Headers({ 'content-type': 'application/json; charset=utf-8' })

function judged(status: number, body: unknown, isHarmed = false): string | null {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return faultOf({ operation, answer: { status, headers: json, text, ms: 1 }, isHarmed, secrets: ['hunter2hunter2'] })
}

describe('an answer to bad input', () => {
  it('is right where the document has it', () => {
    assert.equal(judged(200, { data: [] }), null)
    assert.equal(judged(401, { error: 'unauthorized', message: 'No.' }), null)
    assert.equal(judged(415, { error: 'unsupported_media_type', message: 'No.' }, true), null)
  })

  const wrong: [what: string, status: number, body: unknown, pattern: RegExp][] = [
    ['a failure', 500, { error: 'internal', message: 'Sorry.' }, /answered 500/],
    ['a status that is not described', 418, { error: 'a', message: 'b' }, /does not list/],
    ['a body of another shape', 200, { data: 7 }, /not its schema's/],
    ['an error of another shape', 401, { message: 7 }, /not its schema's/],
    ['no JSON', 200, '<html>', /no JSON/],
    ['a stack trace', 401, { error: 'a', message: 'x\n    at run (file:///a/b.ts:1:2)' }, /shows a stack trace/],
    ['words of the database', 401, { error: 'a', message: 'invalid input syntax for type uuid' }, /of the database/],
    ['a secret', 401, { error: 'a', message: 'hunter2hunter2' }, /shows a secret/],
  ]
  for (const [what, status, body, pattern] of wrong)
    it(`is wrong with ${what}`, () => assert.match(judged(status, body) ?? '', pattern))

  it('may leave out members of items where some were asked for, and nothing else', () => {
    const list = operations.find(({ name }) => name === 'list_monitors') ?? assert.fail()
    const faultIn = (body: unknown, isPart: boolean): string | null =>
      faultOf({
        operation: list,
        answer: { status: 200, headers: json, text: JSON.stringify(body), ms: 1 },
        isHarmed: false,
        isPart,
        secrets: [],
      })
    assert.equal(faultIn({ data: [{ name: 'Shop' }], next_cursor: null }, true), null)
    assert.match(faultIn({ data: [{ name: 'Shop' }], next_cursor: null }, false) ?? '', /not its schema's/)
    assert.match(faultIn({ data: 'Shop', next_cursor: null }, true) ?? '', /not its schema's/)
  })

  it('is wrong where a validation names no field', () => {
    const made = operations.find(({ name }) => name === 'create_slo') ?? assert.fail()
    const text = JSON.stringify({ error: 'validation_failed', message: 'No.' })
    const answer = { status: 422, headers: json, text, ms: 1 }
    assert.match(faultOf({ operation: made, answer, isHarmed: false, secrets: [] }) ?? '', /names no field/)
  })
})

it('a seed draws the same again, and another one other things', () => {
  assert.deepEqual(drawn(7), drawn(7))
  assert.notDeepEqual(drawn(7), drawn(8))
})

it('a parser that throws what is not its own error is found, and its case finds it again', () => {
  const broken = { name: 'broken', parse, own: [RangeError], seeds: ['plain'] }
  const order = { isShort: false, seed: 1, budgetMs: 0, report: () => {}, only: null }
  const [finding] = tryParsers(order, 10_000, [broken]).findings
  assert.match(finding?.what ?? '', /throws TypeError: unforeseen/)
  assert.equal(tryParsers({ ...order, only: finding?.case ?? '' }, 0, [broken]).findings.length, 1)
})

function drawn(seed: number): number[] {
  const random = randomOf(seed, 'a', 1)
  return Array.from({ length: 5 }, () => random.below(1000))
}

function parse(bytes: Buffer): void {
  if (bytes.includes('{')) throw new TypeError('unforeseen')
  throw new RangeError('own')
}
