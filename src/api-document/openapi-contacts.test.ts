import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { contactKinds } from '#contacts/index.ts'
import { member, openApiDocument, schemaValidator } from '../../test/support/openapi.ts'
import { pascalCase } from './openapi-kinds.ts'

const document = openApiDocument()
const schemas = member(document, 'components', 'schemas')
const isInput = schemaValidator(document, 'AlertChannelInput')
const isChange = schemaValidator(document, 'AlertChannelChange')
const chat = { name: 'Chat', kind: 'telegram', destination: '-1001234567890' }
const token = '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const mail = { name: 'Duty', kind: 'email', destination: 'duty@example.com' }

describe('kinds of contact in OpenAPI', () => {
  it('have an input each, which kind discriminates', () => {
    const mapping = member(schemas, 'AlertChannelInput', 'discriminator', 'mapping')
    assert.deepEqual(Object.keys(mapping), Object.keys(contactKinds))
    for (const reference of Object.values(mapping))
      assert.ok(Object.hasOwn(schemas, String(reference).replace('#/components/schemas/', '')), String(reference))
  })

  const inputs = [
    ['a kind without options', mail, true],
    ['no options for a kind without any, as an object', { ...mail, options: {} }, true],
    ['options for a kind without any', { ...mail, options: { token } }, false],
    ['the option it needs', { ...chat, options: { token } }, true],
    ['none of the options it needs', chat, false],
    ['an option missing that it needs', { ...chat, options: { message_thread_id: 1 } }, false],
    ['an option of another kind', { ...chat, options: { token, routing_key: 'a'.repeat(32) } }, false],
    ['an option out of its bounds', { ...chat, options: { token, message_thread_id: 0 } }, false],
    ['an unknown kind', { ...mail, kind: 'fax' }, false],
    ['an unknown field', { ...mail, colour: 'red' }, false],
    ['a kind whose options may be left out', { name: 'Phone', kind: 'ntfy', destination: 'https://ntfy.sh/x' }, true],
  ] as const
  for (const [what, body, isRight] of inputs)
    it(`${isRight ? 'accepts' : 'refuses'} a create with ${what}`, () => {
      assert.equal(isInput(body), isRight, JSON.stringify(isInput.errors, null, 2))
    })

  const changes = [
    ['a name alone', { name: 'Chat' }, true],
    ['options of some kind, without the secrets that are kept', { options: { message_thread_id: 2 } }, true],
    ['a secret that is cleared', { options: { token: null } }, true],
    ['options of no kind', { options: { message_thread_id: 2, routing_key: 'a'.repeat(32) } }, false],
    ['the kind it has, and its options', { kind: 'telegram', options: { message_thread_id: 2 } }, true],
    ['the kind it has, and options of another', { kind: 'email', options: { message_thread_id: 2 } }, false],
    ['what is no secret as null', { kind: 'telegram', options: { message_thread_id: null } }, false],
  ] as const
  for (const [what, body, isRight] of changes)
    it(`${isRight ? 'accepts' : 'refuses'} a change with ${what}`, () => {
      assert.equal(isChange(body), isRight, JSON.stringify(isChange.errors, null, 2))
    })

  it('never refuse what a kind takes', () => {
    for (const [name, { options }] of Object.entries(contactKinds)) {
      const isOptions = schemaValidator(document, `${pascalCase(name)}ChannelOptions`)
      const names = Object.keys(member(schemas, `${pascalCase(name)}ChannelOptions`, 'properties'))
      const some = fc.dictionary(fc.constantFrom(...names, 'no_such_option'), value, { maxKeys: 5 })
      fc.assert(
        fc.property(some, (given) => {
          if (options.safeParse(given).success) assert.ok(isOptions(given), JSON.stringify(isOptions.errors))
        }),
        { numRuns: 300 },
      )
    }
  })

  it('mark every secret as write-only, let null clear it, and ask for it again in no change', () => {
    for (const [name, { secretOptions }] of Object.entries(contactKinds))
      for (const secret of secretOptions) {
        assert.ok(typeof secret === 'string')
        const schema = member(schemas, `${pascalCase(name)}ChannelOptions`, 'properties', secret)
        assert.equal(schema['writeOnly'], true)
        assert.ok(Array.isArray(schema['type']) && schema['type'].includes('null'))
        const { required = [] } = member(schemas, `${pascalCase(name)}ChannelOptionsChange`)
        assert.ok(Array.isArray(required) && !required.includes(secret))
      }
  })
})

/** Some fit some option, most fit none. */
const value = fc.oneof(
  fc.constantFrom('https://example.com/x', token, 'A'.repeat(32), 'a'.repeat(30), 'eu', 'critical', '+4915112345678'),
  fc.constantFrom('', null, true, `AC${'0'.repeat(32)}`),
  fc.integer({ min: -3, max: 100 }),
  fc.string({ maxLength: 20 }),
)
