import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Validator } from '@cfworker/json-schema'
import { resolverOf } from './openapi-references.ts'
import { bundledSchema, schemaBudget } from './openapi-schemas.ts'

function bundle(schema: unknown, schemas: object = {}, left = schemaBudget) {
  const document = { components: { schemas } }
  return bundledSchema(schema, { document, resolve: resolverOf(document), budget: { left } })
}

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })

function chain(levels: number): object {
  return Array.from({ length: levels }).reduce<object>((inner) => ({ items: inner }), {})
}

describe('a schema of OpenAPI', () => {
  const cases: [what: string, given: unknown, made: object][] = [
    [
      'is without what only people read',
      { type: 'string', title: 'a', description: 'b', example: 'c', 'x-d': 1 },
      { type: 'string' },
    ],
    ['is without formats', { type: 'string', format: 'uri', pattern: '^a' }, { type: 'string', pattern: '^a' }],
    ['may be null', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'may be null beside its values',
      { type: 'string', enum: ['a'], nullable: true },
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    ['may be null of no type', { nullable: true }, {}],
    [
      'has exclusive bounds of 3.0',
      { maximum: 5, exclusiveMaximum: true, minimum: 1, exclusiveMinimum: false },
      { exclusiveMaximum: 5, minimum: 1 },
    ],
    ['has exclusive bounds of 3.1', { exclusiveMaximum: 5 }, { exclusiveMaximum: 5 }],
    [
      'has schemas within',
      { allOf: [{ title: 'a' }], items: true, properties: { title: { title: 'a', type: 'null' } } },
      { allOf: [{}], items: true, properties: { title: { type: 'null' } } },
    ],
    [
      'has lists of values as they are',
      { enum: [{ title: 'a' }, null], required: ['a'] },
      { enum: [{ title: 'a' }, null], required: ['a'] },
    ],
    ['is nothing where it is none', 'a', {}],
  ]
  for (const [what, given, made] of cases) it(what, () => assert.deepEqual(bundle(given), { schema: made }))

  it('brings what it refers to, each once', () => {
    const schemas = {
      'Tree.Node': { type: 'object', properties: { left: ref('Tree.Node'), leaf: ref('Leaf') } },
      Leaf: { type: 'string' },
    }
    const found = bundle({ type: 'array', items: ref('Tree.Node') }, schemas)
    assert.deepEqual(found, {
      schema: {
        type: 'array',
        items: { $ref: '#/$defs/Tree-Node' },
        $defs: {
          'Tree-Node': {
            type: 'object',
            properties: { left: { $ref: '#/$defs/Tree-Node' }, leaf: { $ref: '#/$defs/Leaf' } },
          },
          Leaf: { type: 'string' },
        },
      },
    })
    const validator = new Validator(Object('schema' in found ? found.schema : {}))
    const fits = (value: unknown): boolean => validator.validate(value).valid
    assert.deepEqual([fits([{ left: { leaf: 'a' } }]), fits([{ left: { leaf: 1 } }])], [true, false])
  })

  it('keeps apart what has the same name', () => {
    const document = { a: { X: { type: 'string' } }, b: { X: { type: 'null' } } }
    const given = { anyOf: [{ $ref: '#/a/X' }, { $ref: '#/b/X' }] }
    const found = bundledSchema(given, { document, resolve: resolverOf(document), budget: { left: 100 } })
    assert.deepEqual(found, {
      schema: {
        anyOf: [{ $ref: '#/$defs/X' }, { $ref: '#/$defs/X-2' }],
        $defs: { 'X-2': { type: 'null' }, X: { type: 'string' } },
      },
    })
  })

  it('needs no members that only requests have', () => {
    const given = { required: ['a', 'b', 'c'], properties: { a: { writeOnly: true }, b: ref('B'), c: {} } }
    assert.deepEqual(bundle(given, { B: { writeOnly: true } }), {
      schema: { required: ['c'], properties: { a: {}, b: { $ref: '#/$defs/B' }, c: {} }, $defs: { B: {} } },
    })
  })

  const refused: [what: string, given: unknown, problem: string][] = [
    [
      'leads to another document',
      { $ref: 'other.yaml#/A' },
      'Its schema refers to another document, which is not read.',
    ],
    ['leads to nothing', { items: ref('No') }, 'Its schema refers to something that is not there.'],
    ['is too deep', chain(60), 'Its schema is too large for a check.'],
    ['is too long', { enum: ['a'.repeat(60_000)] }, 'Its schema is too large for a check.'],
  ]
  for (const [what, given, problem] of refused)
    it(`is told where it ${what}`, () => assert.deepEqual(bundle(given), { problem }))

  it('ends with its budget', () => {
    let aliased: unknown = 'a'
    for (let level = 0; level < 40; level += 1) aliased = [aliased, aliased]
    assert.deepEqual(bundle({ enum: aliased }), { problem: 'Its schema is too large for a check.' })
    assert.deepEqual(bundle(chain(20), {}, 10), { problem: 'Its schema is too large for a check.' })
  })

  it('is made of anything, and is read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const made = bundle(
          { properties: { a: value }, allOf: [other], required: other, items: ref('A') },
          { A: value },
        )
        assert.ok('problem' in made || typeof made.schema === 'object')
      }),
    )
  })
})
