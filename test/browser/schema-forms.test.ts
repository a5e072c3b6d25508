// Forms that are made of the service's schemas: shown, read and looked at, without a browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { kinds } from '#kinds/index.ts'
import { monitorForms } from '#console/monitor-forms.ts'
import { type Problems, checkObject, checkValue, isRecord } from '../../web/src/parts/schema/check.ts'
import { readObject, readValue } from '../../web/src/parts/schema/read.ts'
import { idleOptions } from '../../web/src/parts/schema/option-needs.ts'
import { optionWords } from '../../web/src/parts/schema/option-words.ts'
import {
  isStatusMember,
  leadsStatuses,
  readStatuses,
  statusFieldOf,
  statusProblem,
  statusText,
} from '../../web/src/parts/schema/status-codes.ts'
import { type Schema, defaultOf, hintOf, labelOf, shapeOf } from '../../web/src/api/schema.ts'
import { exampleOf } from '../support/kind-pages.ts'

const forms = monitorForms(kinds)

function optionsOf(kind: string): Schema {
  return forms.kinds[kind]?.options ?? assert.fail(kind)
}

/** The fields of a form that says this, by the names that it gives them. */
function typed(schema: Schema, value: unknown, name: string): [string, string][] {
  switch (shapeOf(schema)) {
    case 'flag':
      return value === true ? [[name, 'on']] : []
    case 'texts':
    case 'objects':
      return listOf(value).flatMap((each, index) => typed(schema.items ?? {}, each, `${name}.${index}`))
    case 'pairs':
      return schema.properties === undefined ? pairsOf(value, name) : membersOf(schema, value, name)
    case 'json':
      return value === undefined ? [] : [[name, JSON.stringify(value)]]
    case 'text':
    case 'lines':
    case 'number':
    case 'choice':
      return [[name, typeof value === 'string' || typeof value === 'number' ? String(value) : '']]
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function pairsOf(value: unknown, name: string): [string, string][] {
  const pairs = Object.entries(isRecord(value) ? value : {})
  return pairs.flatMap(([each, text]) => [
    [`${name}.names`, each],
    [`${name}.values`, String(text)],
  ])
}

function membersOf(schema: Schema, value: unknown, name: string): [string, string][] {
  const held = isRecord(value) ? value : {}
  return Object.entries(schema.properties ?? {}).flatMap(([member, each]) => {
    const own = name === '' ? member : `${name}.${member}`
    return isStatusMember(member) ? statusOf(held, own) : typed(each, held[member], own)
  })
}

/** All of them stand in one field. */
function statusOf({ expected_status_min: min, expected_status_max: max }: Held, name: string): [string, string][] {
  if (!leadsStatuses(name)) return []
  const ends = { ...(typeof min === 'number' ? { min } : {}), ...(typeof max === 'number' ? { max } : {}) }
  return [[statusFieldOf(name), statusText(ends)]]
}

type Held = Readonly<Record<string, unknown>>

/** A secret that is there, with what is chosen to become of it. */
function asked(schema: Schema, choice: string, ...fields: [string, string][]): unknown {
  return readValue(schema, 'a', formOf([['a.secret', choice], ...fields]))
}

function formOf(fields: readonly (readonly [string, string])[]): FormData {
  const data = new FormData()
  for (const [name, value] of fields) data.append(name, value)
  return data
}

describe('forms made from schemas', () => {
  for (const kind of kindNames) {
    const schema = optionsOf(kind)

    it(`read back what the page of ${kind} shows, and find nothing wrong with it`, () => {
      const options = exampleOf(kind).check_options ?? {}
      const read = readObject(schema, 'check_options', formOf(membersOf(schema, options, 'check_options')))
      const flags = Object.entries(schema.properties ?? {}).filter(([, each]) => shapeOf(each) === 'flag')
      const unset = Object.fromEntries(flags.map(([name]) => [name, false]))
      assert.deepEqual(read, { ...unset, ...options })
      // The example of a group names monitors that are no UUIDs, which the service checks and the form does not.
      assert.deepEqual(checkObject(schema, read, 'check_options'), {})
    })

    it(`have a label for each option of ${kind}, and no words of the wire in its help`, () => {
      for (const [name, each] of Object.entries(schema.properties ?? {})) {
        assert.match(labelOf(name).label, /^[A-Z]/)
        const { label, hint = hintOf(each) ?? '' } = optionWords(`check_options.${name}`)
        for (const text of [label, hint, hintOf(each) ?? '']) assert.doesNotMatch(text, /`|null|[a-z]_[a-z]/)
        for (const [member, part] of Object.entries(each.items?.properties ?? {}))
          assert.doesNotMatch(`${member}: ${hintOf(part) ?? ''}`.slice(member.length), /`|null|[a-z]_[a-z]/)
      }
    })
  }

  it('begin with the defaults that the service would use', () => {
    const { properties = {} }: Schema = forms.input
    const known = ['interval_seconds', 'timeout_ms', 'method', 'failure_threshold', 'expiry_alerts', 'charts']
    assert.deepEqual(
      known.map((name) => defaultOf(properties[name] ?? {})),
      [300, 10_000, 'GET', 1, true, 'both'],
    )
  })

  const table: { what: string; schema: Schema; value: unknown; expected: Problems }[] = [
    { what: 'nothing', schema: { type: 'integer' }, value: undefined, expected: {} },
    { what: 'null where it may be', schema: { type: ['string', 'null'] }, value: null, expected: {} },
    { what: 'a word for a number', schema: { type: 'integer' }, value: 'x', expected: { a: ['Must be a number.'] } },
    { what: 'a part', schema: { type: 'integer' }, value: 1.5, expected: { a: ['Must be a whole number.'] } },
    { what: 'the lowest', schema: { type: 'integer', minimum: 10 }, value: 10, expected: {} },
    { what: 'below it', schema: { type: 'integer', minimum: 10 }, value: 9, expected: { a: ['Must be at least 10.'] } },
    { what: 'above', schema: { type: 'integer', maximum: 10 }, value: 11, expected: { a: ['Must be at most 10.'] } },
    { what: 'any object', schema: { type: 'object', additionalProperties: {} }, value: { b: [1] }, expected: {} },
    {
      what: 'a word for any object',
      schema: { type: 'object', additionalProperties: {} },
      value: '{"b":',
      expected: { a: ['Must be an object in JSON.'] },
    },
    {
      what: 'a long text',
      schema: { type: 'string', maxLength: 2 },
      value: 'abc',
      expected: { a: ['Must have at most 2 characters.'] },
    },
    {
      what: 'another form',
      schema: { type: 'string', pattern: '^a+$' },
      value: 'b',
      expected: { a: ['Does not have the expected form.'] },
    },
    {
      what: 'too few',
      schema: { type: 'array', minItems: 1, items: { type: 'string' } },
      value: [],
      expected: { a: ['Must have at least 1 item.'] },
    },
    {
      what: 'a part of a list',
      schema: { type: 'array', items: { properties: { b: { type: 'integer' } }, required: ['c'] } },
      value: [{ b: 1, c: 2 }, { b: 'x' }],
      expected: { 'a.1.b': ['Must be a number.'], 'a.1.c': ['This field is required.'] },
    },
  ]
  for (const { what, schema, value, expected } of table)
    it(`look at ${what}`, () => assert.deepEqual(checkValue(schema, value, 'a'), expected))

  const codes: [typed: string, min: unknown, max: unknown, list?: string[]][] = [
    ['', undefined, undefined],
    ['200', 200, 200],
    [' 200-399 ', 200, 399],
    ['200 – 399', 200, 399],
    ['2xx', 200, 299],
    ['2xx, 300', 200, 300],
    ['200, 201;202 203', 200, 203],
    ['300-399, 200-299', 200, 399],
    ['404-', 404, undefined],
    ['-399', undefined, 399],
    ['100-599', 100, 599],
    ['200-299, 404', 200, 404, ['200-299', '404']],
    ['404, 2xx 250-300', 200, 404, ['200-300', '404']],
    ['99', '99', undefined],
    ['600', '600', undefined],
    ['399-200', '399-200', undefined],
    ['all', 'all', undefined],
  ]
  for (const [text, min, max, list] of codes)
    it(`read "${text}" as accepted status codes`, () => {
      const members = ['expected_status_min', 'expected_status_max', 'expected_statuses']
      assert.deepEqual(
        members.map((name) => readStatuses(name, text)),
        [min, max, list],
      )
    })

  it('say why a text is no status codes', () => {
    assert.match(statusProblem(), /such as 200, 401 or 200-399/)
    const refused = checkObject(optionsOf('transaction'), { steps: [{ expected_status_min: 'x' }] }, 'check_options')
    assert.deepEqual(Object.keys(refused), ['check_options.steps.0.expected_status_min'])
  })

  it('keep secrets that nobody touched, remove and replace them', () => {
    const text: Schema = { type: ['string', 'null'], writeOnly: true }
    const pairs: Schema = { type: ['object', 'null'], writeOnly: true }
    assert.deepEqual(
      [asked(text, 'keep'), asked(text, 'remove'), asked(text, 'replace', ['a', 'x'])],
      [undefined, null, 'x'],
    )
    const given: [string, string][] = [
      ['a.names', 'X-Key'],
      ['a.values', 'x'],
    ]
    assert.deepEqual(
      [asked(pairs, 'keep', ...given), asked(pairs, 'remove'), asked(pairs, 'replace', ...given)],
      [undefined, null, { 'X-Key': 'x' }],
    )
  })

  it('read whatever is typed, and fail at nothing', () => {
    const fields = fc.array(fc.tuple(fc.constantFrom('a', 'a.0', 'a.1.b', 'a.names', 'a.values', 'a.x'), fc.string()))
    const schemas = kindNames.flatMap((kind) => Object.values(optionsOf(kind).properties ?? {}))
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fields, (schema, given) => {
        checkValue(schema, readValue(schema, 'a', formOf(given)), 'a')
      }),
    )
  })
})

/** Values that an option takes by itself, where that is no word. */
const samples: Readonly<Record<string, unknown>> = {
  filter: '(uid=ann)',
  max_list_length: 1,
  max_messages: 1,
  max_value: 1,
  min_consumers: 1,
  min_entries: 1,
  min_value: 1,
  qos: 1,
  scope: 'base',
  signature_warn_days: 1,
  token_method: 'basic',
  token_url: 'https://login.example.com/token',
}

/** A secret may stay without the rest, so that it can be taken up again. */
const kept: ReadonlySet<string> = new Set(['sign_in_secret', 'proxy_secret'])

describe('options that are not asked for', () => {
  for (const kind of kindNames) {
    const { properties = {}, required = [] } = optionsOf(kind)
    const names = Object.keys(properties)
    const idle = [...idleOptions(names, () => undefined)]
    const example: Record<string, unknown> = { ...exampleOf(kind)['check_options'] }
    const needed = Object.fromEntries(required.map((name) => [name, example[name]]))
    if (idle.length === 0) continue
    it(`of ${kind} are refused as well: ${idle.join(', ')}`, () => {
      for (const option of idle.filter((each) => !kept.has(each))) {
        const read = kinds[kind].options.safeParse({ ...needed, [option]: samples[option] ?? 'a' })
        const said = read.error?.issues.map(({ message, path }) => `${path.join('.')}: ${message}`) ?? []
        assert.ok(
          said.some((text) => text.startsWith(`${option}: Needs `)),
          `${option}: ${said.join(' ')}`,
        )
      }
    })
  }

  it('are asked for with one of the values that they belong to, but not where that one is idle itself', () => {
    const names = ['base', 'attribute', 'expected_value', 'sign_in', 'sign_in_name', 'aws_region', 'other']
    const idle = (values: Record<string, unknown>): string[] => [...idleOptions(names, (name) => values[name])]
    assert.deepEqual(idle({}), ['attribute', 'expected_value', 'sign_in_name', 'aws_region'])
    assert.deepEqual(idle({ sign_in: 'digest', attribute: 'mail' }), ['attribute', 'expected_value', 'aws_region'])
    assert.deepEqual(idle({ sign_in: 'aws', base: 'o=a', attribute: 'mail' }), [])
    assert.deepEqual(idle({ sign_in: '', base: null }), idle({}))
  })
})
