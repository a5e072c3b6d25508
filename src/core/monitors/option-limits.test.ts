import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limitProblems, sizeProblem } from './option-limits.ts'

const long = 'a'.repeat(33).split('').join('.')
const tooLong = ['Must have at most 32 segments, separated by dots.']

describe('the JSON path of options', () => {
  it('is refused beyond its limit, wherever it stands', () => {
    assert.deepEqual(limitProblems({ json_path: long }, {}), { 'check_options.json_path': tooLong })
    assert.deepEqual(limitProblems({ steps: [{ json_path: 'a' }, { json_path: long }] }, {}), {
      'check_options.steps.1.json_path': tooLong,
    })
  })

  it('stays where the monitor had it before the limit', () => {
    assert.deepEqual(limitProblems({ json_path: long, max_latency_ms: 500 }, { json_path: long }), {})
    const before = { steps: [{ url: '/a', json_path: long }] }
    assert.deepEqual(limitProblems({ steps: [{ url: '/first' }, { url: '/b', json_path: long }] }, before), {})
  })

  it('may not be changed to another one beyond its limit', () => {
    const fields = limitProblems({ json_path: `b.${long}` }, { json_path: long })
    assert.deepEqual(fields, { 'check_options.json_path': tooLong })
  })
})

describe('the size of options', () => {
  it('is 64 kB', () => {
    assert.equal(sizeProblem(sized(65_536), {}), null)
    assert.equal(sizeProblem(sized(65_537), {}), sizeText(65_537))
    assert.equal(sizeProblem({ a: 'ä'.repeat(32_765) }, {}), sizeText(65_538))
  })

  it('leaves out the bodies of steps, and only these', () => {
    const body = 'x'.repeat(65_536)
    assert.equal(sizeProblem({ steps: [{ body }, { body }] }, {}), null)
    assert.notEqual(sizeProblem({ steps: [{ body: [body] }] }, {}), null)
    assert.notEqual(sizeProblem({ steps: [{ url: body }] }, {}), null)
    assert.notEqual(sizeProblem({ steps: [[body]] }, {}), null)
    assert.notEqual(sizeProblem({ body }, {}), null)
  })

  it('may stay or shrink where it was beyond the limit before', () => {
    assert.equal(sizeProblem(sized(70_000), sized(70_000)), null)
    assert.equal(sizeProblem(sized(69_999), sized(70_000)), null)
    assert.equal(sizeProblem(sized(70_001), sized(70_000)), sizeText(70_001))
  })

  it('counts secrets that are kept', () =>
    assert.deepEqual(limitProblems(sized(70_000), sized(10)), { check_options: [sizeText(70_000)] }))
})

/** Options whose JSON has so many bytes. */
function sized(bytes: number): { a: string } {
  return { a: 'x'.repeat(bytes - '{"a":""}'.length) }
}

function sizeText(bytes: number): string {
  return `Must have at most 65536 bytes of JSON, the bodies of steps aside; has ${bytes}.`
}
