import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { kinds } from '#kinds/index.ts'
import { exampleOf } from '../../test/support/kind-pages.ts'
import { member, openApiDocument, schemaValidator } from '../../test/support/openapi.ts'
import { kindSchemas } from './openapi-kinds.ts'

const document = openApiDocument()
const schemas = member(document, 'components', 'schemas')
const isInput = schemaValidator(document, 'MonitorInput')
const isChange = schemaValidator(document, 'MonitorChange')
const web = { name: 'Shop', url: 'https://example.com' }

describe('kinds in OpenAPI', () => {
  for (const name of Object.keys(kinds)) {
    it(`accepts the example of the page of ${name}, and its options of no other kind that lacks them`, () => {
      const example = exampleOf(name)
      assert.ok(isInput(example), JSON.stringify(isInput.errors, null, 2))
      assert.ok(isChange(example), JSON.stringify(isChange.errors, null, 2))
      for (const [other, { options }] of Object.entries(kinds)) {
        const isFit = options.safeParse(example.check_options ?? {}).success
        assert.equal(isInput({ ...example, url: 'example.com', kind: other }), isFit, `as ${other}`)
      }
    })

    it(`refuses an option that ${name} does not have`, () => {
      const example = exampleOf(name)
      const body = { ...example, check_options: { ...example.check_options, no_such_option: 1 } }
      assert.ok(!isInput(body))
      assert.ok(!isChange(body))
    })
  }

  const inputs = [
    ['a name and a url, for the usual kind', web, true],
    ['no name', { url: web.url }, false],
    ['no url, for the usual kind', { name: 'Shop' }, false],
    ['no url, for a kind that is called', { name: 'Job', kind: 'heartbeat' }, true],
    ['no url, for one that needs it', { name: 'Shop', kind: 'ssl' }, false],
    ['options of http without a kind', { ...web, check_options: { headers_only: true } }, true],
    ['options of another kind without a kind', { ...web, check_options: { warn_days: 3 } }, false],
    ['options of the kind', { ...web, kind: 'ssl', check_options: { warn_days: 3 } }, true],
    ['an option below its limit', { ...web, kind: 'ssl', check_options: { warn_days: 0 } }, false],
    ['an option of another type', { ...web, kind: 'ssl', check_options: { warn_days: '3' } }, false],
    ['a kind whose options are required, without them', { ...web, kind: 'blacklist' }, false],
    ['an unknown kind', { ...web, kind: 'minecraft' }, false],
    ['an unknown field', { ...web, colour: 'red' }, false],
    ['a digest in capitals', { ...web, check_options: { body_sha256: 'A'.repeat(64) } }, true],
    [
      'an attribute in capitals',
      { ...exampleOf('ldap'), check_options: { base: 'dc=x', attribute: 'CN;lang-DE' } },
      true,
    ],
    ['a value without its path', { ...web, check_options: { expected_value: 1 } }, false],
    ['a secret that is cleared', { ...web, kind: 'malware', check_options: { api_key: null } }, true],
    ['an option that is no secret as null', { ...web, kind: 'ssl', check_options: { warn_days: null } }, false],
    ['a location of this installation', { ...web, locations: ['boston'] }, true],
    ['a location that it lacks', { ...web, locations: ['lima'] }, false],
  ] as const
  for (const [what, body, isRight] of inputs)
    it(`${isRight ? 'accepts' : 'refuses'} a create with ${what}`, () => {
      assert.equal(isInput(body), isRight, JSON.stringify(isInput.errors, null, 2))
    })

  const changes = [
    ['a name alone', { name: 'Shop' }, true],
    ['no name', { check_options: { warn_days: 3 } }, false],
    ['options of some kind, which the monitor may have', { name: 'Shop', check_options: { warn_days: 3 } }, true],
    ['options of no kind', { name: 'Shop', check_options: { warn_days: 3, record_type: 'A' } }, false],
    ['options of the kind it names', { name: 'Shop', kind: 'ssl', check_options: { warn_days: 3 } }, true],
    ['options of another than it names', { name: 'Shop', kind: 'dns', check_options: { warn_days: 3 } }, false],
    ['a kind whose options are required, without them', { name: 'Shop', kind: 'blacklist' }, true],
  ] as const
  for (const [what, body, isRight] of changes)
    it(`${isRight ? 'accepts' : 'refuses'} a change with ${what}`, () => {
      assert.equal(isChange(body), isRight, JSON.stringify(isChange.errors, null, 2))
    })

  it('never refuses what a kind takes', () => {
    for (const [name, { options }] of Object.entries(kinds)) {
      const isOptions = schemaValidator(document, `${exportedName(name)}Options`)
      const optionNames = Object.keys(member(schemas, `${exportedName(name)}Options`, 'properties'))
      const some = fc.dictionary(fc.constantFrom(...optionNames, 'no_such_option'), value, { maxKeys: 4 })
      const seeded = some.map((given) => ({ ...exampleOf(name).check_options, ...given }))
      fc.assert(
        fc.property(fc.oneof(some, seeded), (given) => {
          if (options.safeParse(given).success) assert.ok(isOptions(given), JSON.stringify(isOptions.errors))
        }),
        { numRuns: 300 },
      )
    }
  })

  it('marks every secret as write-only, those in lists too, and lets null clear it', () => {
    for (const [name, { secretOptions }] of Object.entries(kinds))
      for (const secret of secretOptions) {
        const options = member(schemas, `${exportedName(name)}Options`, 'properties')
        const schema =
          typeof secret === 'string'
            ? member(options, secret)
            : member(options, secret.list, 'items', 'properties', secret.member)
        assert.equal(schema['writeOnly'], true)
        assert.ok(Array.isArray(schema['type']) && schema['type'].includes('null'))
      }
  })

  it('will not describe a kind whose secret is not among its options', () => {
    const kind = { options: z.strictObject({ token: z.string() }), isPassive: false }
    assert.doesNotThrow(() => kindSchemas({ vault: { ...kind, secretOptions: ['token'] } }))
    assert.throws(() => kindSchemas({ vault: { ...kind, secretOptions: ['api_key'] } }), /api_key/)
  })
})

/** Some fit some option, most fit none. */
const value = fc.oneof(
  fc.constantFrom(
    'A',
    'any',
    'tls',
    'java',
    'major',
    'reject',
    'host',
    'desktop',
    'QUJD',
    'example.org',
    '',
    null,
    true,
  ),
  fc.integer({ min: -1, max: 60_001 }),
  fc.string({ maxLength: 20 }),
  fc.array(fc.constantFrom('s1', '', 'API', '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10'), { maxLength: 11 }),
  fc.array(fc.record({ url: fc.constantFrom('/', 'x', 'https://example.com') }, { requiredKeys: [] }), {
    maxLength: 11,
  }),
)

function exportedName(kind: string): string {
  return kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
