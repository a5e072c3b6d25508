import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { DescribedKinds } from '#api-document/openapi-kinds.ts'
import type { JsonSchema } from '#api-document/openapi-schemas.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { withContactOptions, withOptionNames } from './kind-options.ts'

const options = z.strictObject({ server: z.string(), token: z.string(), room: z.string().optional() })
const none = z.strictObject({})
const kinds = {
  chat: { options, secretOptions: ['token'] },
  mail: { options: none, secretOptions: [] },
}

function operationOf(schemaName: string | null) {
  const body = { schema: z.object({}), isRequired: true, schemaName: schemaName ?? '' }
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
    ...(schemaName === null ? {} : { body }),
  })
}

const schemaOf = (field: string): JsonSchema => ({ type: 'object', properties: { [field]: { type: 'object' }, a: {} } })

/** What a schema says of one of its fields. */
function wordsOf({ properties }: JsonSchema, field: string): string {
  return String(Object(Object(properties)[field]).description)
}

describe('a tool that makes or changes contacts', () => {
  const given = schemaOf('options')
  for (const name of ['AlertChannelInput', 'AlertChannelChange'])
    it(`of ${name} says what each kind adds, what is secret and what may be left out`, () => {
      const schema = withContactOptions(given, operationOf(name), kinds)
      assert.match(wordsOf(schema, 'options'), / chat: server, token\*, room\?\. In full: /)
      assert.ok(!wordsOf(schema, 'options').includes('mail'))
      assert.deepEqual(Object.keys(Object(schema['properties'])), ['options', 'a'])
    })

  it('is told from others', () => {
    for (const name of ['MonitorInput', null]) assert.equal(withContactOptions(given, operationOf(name), kinds), given)
    const plain = { type: 'string' }
    assert.equal(withContactOptions(plain, operationOf('AlertChannelInput'), kinds), plain)
    assert.throws(() => withContactOptions(schemaOf('b'), operationOf('AlertChannelInput'), kinds), /has no options/)
  })
})

function ownOptions(count: number) {
  return options.extend(Object.fromEntries(Array.from({ length: count }, (_, at) => [`own${at + 1}`, z.string()])))
}

describe('a tool that makes or changes monitors', () => {
  const monitors: DescribedKinds = {
    api: { options, secretOptions: ['token'], isPassive: false },
    http: { options: options.extend({ colour: z.string() }), secretOptions: [], isPassive: false },
    ping: { options: none, secretOptions: [], isPassive: false },
  }

  it('says what each kind adds', () => {
    const words = wordsOf(withOptionNames(schemaOf('check_options'), monitors), 'check_options')
    assert.match(words, / api, http: server, token, room; http: colour\. In full: /)
    assert.ok(!words.includes('ping'))
  })

  it('leaves a kind with many options of its own to its full description', () => {
    const some = {
      ...monitors,
      redis: { options: ownOptions(3), secretOptions: [], isPassive: false },
      mysql: { options: ownOptions(4), secretOptions: [], isPassive: false },
    }
    const words = wordsOf(withOptionNames(schemaOf('check_options'), some), 'check_options')
    assert.match(words, /redis: own1, own2, own3\. mysql, and all in full: the resource /)
  })

  it('is told from others', () => {
    for (const given of [schemaOf('options'), { type: 'string' }]) assert.equal(withOptionNames(given, monitors), given)
  })
})
