import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertQuick } from '../../../test/support/quick.ts'
import { http } from './http.ts'
import { maxPatternLength, patternProblem } from './pattern.ts'

describe('a pattern', () => {
  for (const pattern of [
    'a',
    '(?i)hello',
    '\\d{4}-\\d{2}',
    '[^a-z]+$',
    '\\p{L}+',
    'a{190}',
    '{',
    '\\Qa.b\\E',
    '(?:long text ){5}',
  ])
    it(`may be ${pattern}`, () => assert.equal(patternProblem(pattern), null))

  const wrong: [pattern: string, problem: RegExp][] = [
    ['[a', /^Must be a regular expression in the syntax of RE2: missing closing \]: `\[a`\.$/],
    ['(a)\\1', /invalid escape sequence/],
    ['(?=a)', /unsupported Perl syntax/],
    ['(?<!a)b', /RE2/],
    ['a**', /RE2/],
    ['a{199}', /200 steps/],
    ['(a{50}){20}', /200 steps/],
    [`(${'a'.repeat(400)}){2,1000}`, /200 steps/],
    [`(?:[)]${'a'.repeat(400)}){1000}`, /200 steps/],
    ['a{999999999}', /200 steps/],
  ]
  for (const [pattern, problem] of wrong)
    it(`may not be ${pattern.slice(0, 20)}`, () => assert.match(patternProblem(pattern) ?? '', problem))

  it('is told at its field', () => {
    const given = {
      body_pattern: '[a',
      absent_pattern: 'a'.repeat(501),
      expected_headers: [{ name: 'a', match: 'matches', value: '(' }],
    }
    const fields = http.options.safeParse(given).error?.issues.map(({ path }) => path.join('.'))
    assert.deepEqual(fields, ['body_pattern', 'absent_pattern', 'expected_headers.0.value'])
  })

  it('is read quickly, whatever it is', () => {
    const parts = [
      'a{199}',
      '(a?){99}',
      '((a{10}){10})',
      '\\pL{200}',
      '[^\\pL\\pN]',
      '(?i:\\pL)',
      '(',
      'a|',
      '(?:a*|b)*',
    ]
    for (const part of parts) assertQuick(part, () => patternProblem(part.repeat(maxPatternLength / part.length)))
  })
})
