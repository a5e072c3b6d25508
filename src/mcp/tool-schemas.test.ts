import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { JsonSchema } from '#api-document/openapi-schemas.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { sizeParameters } from './answer-size.ts'
import { type Described, describeOnce, inputOf, outputOf } from './tool-schemas.ts'

type Definition = Parameters<typeof defineOperation>[0]

function operationOf(more: Partial<Definition> = {}): WorkspaceVerb {
  return defineOperation({
    name: 'make_thing',
    method: 'POST',
    path: '/things',
    scope: 'write',
    tag: 'Account',
    summary: 'Makes a thing',
    errors: [],
    success: { status: 200, description: 'Made.' },
    run: () => Promise.reject(new Error('No test calls it.')),
    ...more,
  })
}

function bodyOf(schema: z.ZodType, isRequired = true): Pick<Definition, 'body'> {
  return { body: { schema, isRequired, schemaName: 'Thing' } }
}

function argumentsOf(more: Partial<Definition>): unknown {
  return inputOf(operationOf(more), {})['properties']
}

describe('the arguments of a tool', () => {
  it('are what stands in the path, in the query, in the key and in the body, in one object', () => {
    const operation = operationOf({
      path: '/things/{id}',
      query: { schema: z.object({ limit: z.coerce.number<number>().int().max(9), q: z.string().optional() }) },
      takesIdempotencyKey: true,
      ...bodyOf(z.object({ name: z.string(), note: z.string().optional() })),
    })
    const { properties, required, ...rest } = inputOf(operation, { more: { type: 'integer' } })
    assert.deepEqual(Object.keys(Object(properties)), ['id', 'limit', 'q', 'idempotency_key', 'name', 'note', 'more'])
    assert.deepEqual([required, rest], [['id', 'limit', 'name'], { type: 'object', additionalProperties: false }])
  })

  it('are none that have to be there where none has to', () => {
    const none = { type: 'object', properties: {}, additionalProperties: false }
    assert.deepEqual(inputOf(operationOf(), {}), none)
    const optional = operationOf(bodyOf(z.object({ name: z.string() }).optional(), false))
    assert.deepEqual(inputOf(optional, {}), { ...none, properties: { name: { type: 'string' } } })
  })

  it('have one meaning each', () => {
    const twice = operationOf({ path: '/things/{name}', ...bodyOf(z.object({ name: z.string() })) })
    assert.throws(() => inputOf(twice, {}), /^Error: The tool make_thing has two arguments name\.$/)
  })

  it('are of the object where a body may be something else', () => {
    const body = z.union([z.string(), z.object({ name: z.string() })])
    assert.deepEqual(inputOf(operationOf(bodyOf(body)), {}), {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    })
    assert.deepEqual(inputOf(operationOf(bodyOf(z.union([z.string(), z.int()]))), {})['properties'], {})
  })

  const six = ['a', 'b', 'c', 'd', 'e', 'f'] as const

  it('of a list have few words', () => {
    const schema = z.object({
      q: z.string().min(1).max(100).describe('Words.'),
      few: z.array(z.enum(six)).max(9).describe('Some of six.'),
      many: z.array(z.enum([...six, 'g'])).max(9),
      texts: z.array(z.string().min(2)),
      most: z.int().max(9),
    })
    assert.deepEqual(argumentsOf({ query: { schema } }), {
      q: { type: 'string', description: 'Words.' },
      few: { type: 'array', items: { type: 'string', enum: six }, description: 'Some of six.' },
      many: { type: 'array', items: { type: 'string' } },
      texts: { type: 'array', items: { type: 'string' } },
      most: { type: 'integer', maximum: 9 },
    })
  })

  it('of a path are ids, and the key says what it is for', () => {
    const { id, idempotency_key: key } = Object(argumentsOf({ path: '/things/{id}', takesIdempotencyKey: true }))
    assert.deepEqual(id, { type: 'string', format: 'uuid' })
    assert.partialDeepStrictEqual(key, { type: 'string', minLength: 1, maxLength: 255 })
    assert.match(key.description, /^A repeat within 24 hours/)
  })

  it('of a body say nothing of what every text is', () => {
    const schema = z.object({
      name: z.string().min(1).max(50),
      note: z.string().min(2),
      word: z.string().regex(/^\p{L}+$/u),
      code: z.string().regex(/^[a-z]+$/),
      count: z.int().min(1).max(9),
      pattern: z.object({ title: z.string().min(1) }),
    })
    assert.deepEqual(argumentsOf(bodyOf(schema)), {
      name: { type: 'string', maxLength: 50 },
      note: { type: 'string', minLength: 2 },
      word: { type: 'string' },
      code: { type: 'string', pattern: '^[a-z]+$' },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      pattern: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    })
  })
})

function told(properties: JsonSchema, tool: string, described: Described) {
  return describeOnce({ type: 'object', properties }, { tool, described })
}

/** The schema of an argument `name` that has this length together with its name. */
function nameOf(length: number): JsonSchema {
  const start = { type: 'string', description: '' }
  return { ...start, description: 'x'.repeat(length - JSON.stringify(['name', start]).length) }
}

/** What the second of two tools says, where both take this. */
function second(properties: JsonSchema, other = properties) {
  const described: Described = new Map()
  told(properties, 'make_thing', described)
  const { schema, like } = told(other, 'change_thing', described)
  return { properties: schema['properties'], like }
}

describe('what several tools take', () => {
  const long = {
    type: 'string',
    description: 'A name that is told once, in words that are long enough for a sentence.',
  }
  it('is described by the first of them', () => {
    const first = told({ name: long }, 'make_thing', new Map())
    assert.deepEqual(first, { schema: { type: 'object', properties: { name: long } }, like: [] })
    assert.deepEqual(second({ name: long }), { properties: { name: { type: 'string' } }, like: ['make_thing'] })
    assert.deepEqual(second({ name: { ...long, default: 'a' } }, { name: { ...long, default: 'b' } }).like, [
      'make_thing',
    ])
  })

  it('is described by each where it is not the same', () => {
    const other = { ...long, description: `${long.description} Or not.` }
    assert.deepEqual(second({ name: long }, { name: other }), { properties: { name: other }, like: [] })
    assert.deepEqual(second({ name: long }, { title: long }), { properties: { title: long }, like: [] })
  })

  it('is described by each where that is short, or has no type', () => {
    assert.deepEqual(second({ name: nameOf(79) }), { properties: { name: nameOf(79) }, like: [] })
    assert.deepEqual(second({ name: nameOf(80) }).like, ['make_thing'])
    const untyped = { anyOf: [long, { type: 'null' }] }
    assert.deepEqual(second({ name: untyped }), { properties: { name: untyped }, like: [] })
  })

  it('is described once as a member, too', () => {
    const options = { type: 'object', properties: { name: long, size: { type: 'integer' } } }
    assert.deepEqual(second({ name: long }, { options }), {
      properties: { options: { type: 'object', properties: { ...options.properties, name: { type: 'string' } } } },
      like: ['make_thing'],
    })
    const described: Described = new Map()
    const { schema, like } = told({ options, name: long }, 'make_thing', described)
    assert.deepEqual([schema['properties'], like], [{ options, name: { type: 'string' } }, []])
    const again = told({ options: { ...options, required: ['size'] } }, 'change_thing', described)
    assert.deepEqual(again.like, ['make_thing'])
    assert.deepEqual(again.schema['properties'], {
      options: { ...options, required: ['size'], properties: { ...options.properties, name: { type: 'string' } } },
    })
  })

  it('names no tool for what every list takes', () => {
    const { limit } = sizeParameters
    assert.ok(limit !== undefined)
    const longer = {
      ...limit,
      description: `${String(limit['description'])} Of a list that is longer than a model can read.`,
    }
    assert.deepEqual(second({ limit: longer }), { properties: { limit: { type: 'integer' } }, like: [] })
  })
})

describe('the answer of a tool', () => {
  const schema = z.object({ data: z.array(z.object({ tags: z.array(z.string()).min(2) })).min(1) })
  const success = { status: 200, description: 'Made.', schema } as const

  it('is what its operation answers, or a refusal', () => {
    const otherSuccess = { status: 201, description: 'Made.', schema: z.object({ id: z.string() }) } as const
    const { type, anyOf } = outputOf(operationOf({ success, otherSuccess }), false) ?? assert.fail()
    assert.equal(type, 'object')
    const members = z.array(z.object({ properties: z.record(z.string(), z.unknown()) })).parse(anyOf)
    assert.deepEqual(
      members.map(({ properties }) => Object.keys(properties)),
      [['data'], ['id'], ['error', 'message', 'fields']],
    )
  })

  it('is none where it has no body', () => assert.equal(outputOf(operationOf(), false), null))

  it('may have fewer entries where it is shown in part, however deep they are', () => {
    const whole = JSON.stringify(outputOf(operationOf({ success }), false))
    assert.ok(whole.includes('"minItems":1') && whole.includes('"minItems":2'), whole)
    const part = JSON.stringify(outputOf(operationOf({ success }), true))
    assert.equal(part, whole.replaceAll(/"minItems":\d,|,"minItems":\d/g, ''))
  })
})
