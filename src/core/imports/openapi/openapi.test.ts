import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openapiExample } from '../../../../test/support/openapi-example.ts'
import { ImportError, importLimits } from '#core/imports/imported.ts'
import { parseTypedYaml } from '#manifests/yaml.ts'
import { readOpenapi } from './openapi.ts'

function read(document: unknown) {
  const { monitors, notes } = readOpenapi([document])
  return { monitors, notes: notes.map(({ effect, place, message }) => `${effect} ${place}: ${message}`) }
}

const servers = [{ url: 'https://api.example.com' }]

/** The monitor of one operation, without what all have. */
function readOperation(operation: object, more: object = {}) {
  const { monitors, notes } = read({ openapi: '3.1.0', servers, paths: { '/a': { get: operation } }, ...more })
  return { input: monitors[0]?.input, isPaused: monitors[0]?.isPaused, notes }
}

function json(schema: object, type = 'application/json'): object {
  return { content: { [type]: { schema } } }
}

/** What an answer has to fit, and how much is told. */
function schemaOf(responses: object) {
  const { input, notes } = readOperation({ responses })
  return [input?.check_options, notes.length]
}

function parameter(more: object): object {
  return { name: 'a b', in: 'query', required: true, ...more }
}

describe('a description of OpenAPI', () => {
  it('has a monitor for each operation that reads and has what it needs', () => {
    const { monitors, notes } = readOpenapi(parseTypedYaml(openapiExample))
    const order = {
      type: 'object',
      required: ['id', 'total'],
      properties: {
        id: { type: 'integer' },
        pin: { type: 'string' },
        total: { type: 'number', exclusiveMinimum: 0 },
        note: { type: ['string', 'null'] },
        parts: { type: 'array', items: { $ref: '#/$defs/Order' } },
      },
    }
    const common = { kind: 'api', expected_status_min: 200, expected_status_max: 200, contacts: null }
    assert.deepEqual(monitors, [
      {
        key: 'listorders',
        place: 'GET /orders',
        isPaused: true,
        history: [],
        input: {
          ...common,
          name: 'List orders',
          url: 'https://eu.example.com/v1/orders?limit=20',
          request_headers: { 'X-Shop': 'north' },
          check_options: { json_schema: { type: 'array', items: { $ref: '#/$defs/Order' }, $defs: { Order: order } } },
          tags: ['orders'],
        },
      },
      {
        key: 'get-orders-id',
        place: 'GET /orders/{id}',
        isPaused: false,
        history: [],
        input: {
          ...common,
          name: 'GET /orders/{id}',
          url: 'https://eu.example.com/v1/orders/7',
          check_options: { json_schema: { $ref: '#/$defs/Order', $defs: { Order: order } } },
          tags: [],
        },
      },
    ])
    assert.deepEqual(
      notes.map(({ effect, place, message }) => `${effect} ${place}: ${message}`),
      [
        'lost GET /carts/{id}: It needs a value, and the file has neither an example nor a default for it: id.',
        'lost paths: Operations that do not only read are left out, since checks repeat them: 1.',
        'changed components.securitySchemes.key: 1 monitor needs credentials that are not in the file. Add the header X-Key. Until then they are paused.',
      ],
    )
  })

  const statuses: [responses: object, expected: object][] = [
    [{}, { expected_status_min: 200, expected_status_max: 299 }],
    [{ default: {} }, { expected_status_min: 200, expected_status_max: 299 }],
    [
      { '2XX': {}, 404: {} },
      { expected_status_min: 200, expected_status_max: 299 },
    ],
    [
      { 200: {}, 204: {}, 500: {} },
      { expected_status_min: 200, expected_status_max: 204, expected_statuses: ['200', '204'] },
    ],
  ]
  for (const [responses, expected] of statuses)
    it(`expects the statuses of ${JSON.stringify(responses)}`, () => {
      const {
        kind: _,
        contacts: _contacts,
        tags: _tags,
        name: _name,
        url: _url,
        ...found
      } = { ...readOperation({ responses }).input }
      assert.deepEqual(found, expected)
    })

  it('expects the schema of the only right answer', () => {
    const schema = { type: 'object' }
    assert.deepEqual(schemaOf({ 200: json(schema) }), [{ json_schema: schema }, 0])
    assert.deepEqual(schemaOf({ 200: json(schema, 'application/problem+json; charset=utf-8') }), [
      { json_schema: schema },
      0,
    ])
    assert.deepEqual(schemaOf({ 200: json(schema, 'text/plain') }), [undefined, 0])
    assert.deepEqual(schemaOf({ 200: json({}) }), [undefined, 0])
    assert.deepEqual(schemaOf({ 200: json(schema), 202: json(schema) }), [undefined, 1])
    assert.deepEqual(schemaOf({ 200: json({ $ref: 'other.json' }) }), [undefined, 1])
  })

  const sent: [what: string, given: object, found: object | null][] = [
    ['an example', parameter({ example: 'x&' }), { url: '/a?a%20b=x%26' }],
    ['examples', parameter({ examples: { one: { value: 1 } } }), { url: '/a?a%20b=1' }],
    ['an example of its schema', parameter({ schema: { examples: [true] } }), { url: '/a?a%20b=true' }],
    ['a default', parameter({ schema: { default: 'd' } }), { url: '/a?a%20b=d' }],
    ['its only values', parameter({ schema: { enum: ['e', 'f'] } }), { url: '/a?a%20b=e' }],
    ['a list', parameter({ example: [1, 2] }), { url: '/a?a%20b=1&a%20b=2' }],
    ['a list as one', parameter({ example: [1, 2], explode: false }), { url: '/a?a%20b=1%2C2' }],
    ['a list with pipes', parameter({ example: [1, 2], style: 'pipeDelimited' }), { url: '/a?a%20b=1%7C2' }],
    ['a header', { name: 'X', in: 'header', required: true, example: 5 }, { url: '/a', request_headers: { X: '5' } }],
    [
      'a cookie',
      { name: 'c', in: 'cookie', required: true, example: 'd e' },
      { url: '/a', request_headers: { cookie: 'c=d%20e' } },
    ],
    ['nothing that may be left out', { name: 'x', in: 'query', example: 1 }, { url: '/a' }],
    ['nothing where there is no value', parameter({}), null],
    ['nothing where the value is an object', parameter({ example: { a: 1 } }), null],
  ]
  for (const [what, given, found] of sent)
    it(`sends ${what}`, () => {
      const { input } = readOperation({ parameters: [given], responses: {} })
      if (found === null) assert.equal(input, undefined)
      else
        assert.deepEqual(
          {
            url: input?.url?.replace('https://api.example.com', ''),
            ...(input?.request_headers === undefined ? {} : { request_headers: input.request_headers }),
          },
          found,
        )
    })

  it('asks the first server of the innermost list', () => {
    const inner = [{ url: 'http://inner.example.com/x?y' }]
    assert.equal(readOperation({ servers: inner, responses: {} }).input?.url, 'http://inner.example.com/x/a')
    const two = [...servers, ...inner]
    const { input, notes } = readOperation({ responses: {} }, { servers: two })
    assert.equal(input?.url, 'https://api.example.com/a')
    assert.deepEqual(notes, ['changed servers: It has 2 servers, and the first one is checked.'])
  })

  for (const url of ['/v1', 'https://{host}/', 'ftp://a.example', '{{ site }}'])
    it(`has no monitor where its server is ${url}`, () => {
      const { input, notes } = readOperation({ responses: {} }, { servers: [{ url }] })
      assert.equal(input, undefined)
      assert.deepEqual(notes, [
        'lost servers: Operations are left out, because the file has no address of http or https for them: 1. Add one to "servers".',
      ])
    })

  const schemes: [scheme: object, note: RegExp][] = [
    [{ type: 'http', scheme: 'basic' }, /header Authorization, in the form of basic\./],
    [{ type: 'apiKey', in: 'query', name: 'k' }, /parameter k to the address/],
    [{ type: 'oauth2' }, /sign in by OAuth 2/],
    [{ type: 'mutualTLS' }, /not in the file\. Add them\./],
  ]
  for (const [scheme, note] of schemes)
    it(`is paused where it needs ${JSON.stringify(scheme)}`, () => {
      const more = { components: { securitySchemes: { s: scheme } }, security: [{ s: [] }] }
      const { isPaused, notes } = readOperation({ responses: {} }, more)
      assert.equal(isPaused, true)
      assert.match(notes.join('\n'), note)
      assert.equal(readOperation({ responses: {}, security: [{ s: [] }, {}] }, more).isPaused, false)
    })

  it('tells of what has another form, and goes on', () => {
    const { monitors, notes } = read({
      openapi: 3.1,
      servers,
      paths: { '/a': { get: { summary: [] } }, '/b': { get: { responses: {} } }, '/c/{d}': { get: {} }, 'x-e': 1 },
    })
    assert.deepEqual(
      monitors.map(({ input }) => input.url),
      ['https://api.example.com/b'],
    )
    assert.deepEqual(notes, [
      'lost GET /a: Its description does not have the expected form.',
      'lost GET /c/{d}: It needs a value, and the file has neither an example nor a default for it: a part of its path.',
    ])
  })

  it('has as many monitors as an import takes', () => {
    const paths = Object.fromEntries(
      Array.from({ length: importLimits.monitors + 1 }, (_, at) => [`/${at}`, { get: { responses: {} } }]),
    )
    const { monitors, notes } = read({ openapi: '3.0.0', servers, paths })
    assert.equal(monitors.length, importLimits.monitors)
    assert.deepEqual(notes, ['lost paths: An import takes 5000 monitors, so that the others are left out.'])
  })

  for (const [what, document] of [
    ['is of Swagger', { swagger: '2.0' }],
    ['is of another version', { openapi: '4.0.0' }],
    ['is nothing', undefined],
    ['has no operations', { openapi: '3.0.0', paths: {} }],
  ] as const)
    it(`is refused where it ${what}`, () => assert.throws(() => readOpenapi([document]), ImportError))
})
