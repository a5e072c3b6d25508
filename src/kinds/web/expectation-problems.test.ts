import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertQuick } from '../../../test/support/quick.ts'
import { http } from './http.ts'
import {
  jsonataProblem,
  jsonSchemaProblem,
  maxPatternLength,
  patternProblem,
  selectorProblem,
} from './expectation-problems.ts'

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

describe('a JSON Schema', () => {
  const good: object[] = [
    {},
    { type: ['object', 'null'], properties: { a: true, b: { type: 'integer', minimum: 0 } }, required: ['a'] },
    { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }], additionalItems: false },
    { $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' },
    { $defs: { one: { $anchor: 'first', type: 'string' } }, items: { $ref: '#first' } },
    { $id: 'https://example.com/a', $defs: { b: { $id: 'b', type: 'string' } }, items: { $ref: 'b' } },
    { if: { const: 1 }, else: { not: { type: 'string' } } },
    { patternProperties: { '^x-': { format: 'date-time' } }, unevaluatedProperties: false, example: 'any word' },
    { dependencies: { a: ['b'], b: { type: 'object' } }, title: 'Old' },
  ]
  for (const schema of good)
    it(`may be ${JSON.stringify(schema).slice(0, 40)}`, () => assert.equal(jsonSchemaProblem(schema), null))

  const wrong: [schema: object, problem: string][] = [
    [{ type: 'strng' }, 'type must be one of array, boolean, integer, null, number, object, string.'],
    [{ properties: { a: { type: [] } } }, 'properties.a.type must be a list that is not empty.'],
    [{ items: { required: 'a' } }, 'items.required must be a list.'],
    [{ allOf: [{}, { minLength: -1 }] }, 'allOf.1.minLength must be a whole number of at least 0.'],
    [{ pattern: '[' }, 'pattern must be a regular expression.'],
    [{ patternProperties: { '(': {} } }, 'patternProperties must have regular expressions as names; "(" is none.'],
    [{ properties: [] }, 'properties must be an object.'],
    [{ not: 1 }, 'not must be a schema.'],
    [{ dependentRequired: { a: [1] } }, 'dependentRequired.a.0 must be a text.'],
    [{ $ref: '#/$defs/a' }, 'The $ref "#/$defs/a" leads to nothing in the schema; no other one is read.'],
    [
      { items: { $ref: 'https://example.com/schema' } },
      'The $ref "https://example.com/schema" leads to nothing in the schema; no other one is read.',
    ],
    [nested(70), 'Must not be nested more than 64 levels deep.'],
  ]
  for (const [schema, problem] of wrong)
    it(`may not be ${JSON.stringify(schema).slice(0, 40)}`, () => assert.equal(jsonSchemaProblem(schema), problem))

  it('may name a draft that is known', () => {
    const problem = jsonSchemaProblem({ $schema: 'http://json-schema.org/draft-03/schema' })
    assert.match(problem ?? '', /^\$schema must be one of https:\/\/json-schema\.org\/draft\/2020-12\/schema, /)
  })

  it('is read quickly, whatever it is', () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`a${at}`, {}]))
    const references = Array.from({ length: 3000 }, () => ({ $ref: '#/$defs/a' }))
    for (const schema of [{ properties: many }, { $defs: { a: {} }, allOf: references }, nested(60)])
      assertQuick(Object.keys(schema).join(), () => jsonSchemaProblem(schema))
  })
})

function nested(depth: number): object {
  return depth === 0 ? {} : { items: nested(depth - 1) }
}

describe('an expression of JSONata', () => {
  for (const expression of ['true', '$count(orders[state = "open"]) < 10', '($f := function($n){$n}; $f(1) = 1)'])
    it(`may be ${expression}`, () => assert.equal(jsonataProblem(expression), null))
  for (const [expression, problem] of [
    ['(', 'Must be an expression of JSONata: Expected ")" before end of expression.'],
    ['a b', 'Must be an expression of JSONata: Syntax error: "b".'],
    ['/(/', 'Must be an expression of JSONata: No terminating / in regular expression.'],
  ] as const)
    it(`may not be ${expression}`, () => assert.equal(jsonataProblem(expression), problem))

  it('is read quickly, whatever it is', () => {
    for (const part of ['(', '[', 'a.', '$f(', '{"a":', '-', 'a ? b : ', '/a/'])
      assertQuick(part, () => jsonataProblem(part.repeat(2000 / part.length)))
  })
})

describe('a selector', () => {
  for (const selector of ['h1', 'main > p:first-child', 'a[href^="https://"]', 'div:has(> p):not(.off)', 'a, b'])
    it(`may be ${selector}`, () => assert.equal(selectorProblem(selector), null))
  for (const [selector, problem] of [
    ['a:nope', 'Must be a CSS selector: Unknown pseudo-class :nope.'],
    ['::before', 'Must be a CSS selector: Pseudo-elements are not supported by css-select.'],
    ['[', 'Must be a CSS selector: Expected name, found .'],
  ] as const)
    it(`may not be ${selector}`, () => assert.equal(selectorProblem(selector), problem))

  it('is read quickly, whatever it is', () => {
    for (const part of [':not(', ':has(a ', ':is(', 'a ', '*', '[a]', ':nth-child(', 'a,'])
      assertQuick(part, () => selectorProblem(part.repeat(500 / part.length)))
  })

  it('is told at its field, as all expectations are', () => {
    const given = {
      json_schema: { type: 1 },
      jsonata: '(',
      expected_elements: [
        { selector: ':x' },
        { selector: 'a', match: 'equals' },
        { selector: 'a', value: 'b' },
        { selector: 'a'.repeat(501) },
      ],
    }
    const fields = http.options.safeParse(given).error?.issues.map(({ path }) => path.join('.'))
    assert.deepEqual(fields, [
      'json_schema',
      'jsonata',
      'expected_elements.0.selector',
      'expected_elements.1.value',
      'expected_elements.2.value',
      'expected_elements.3.selector',
    ])
  })
})
