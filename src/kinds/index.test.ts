import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, it } from 'node:test'
import { kindNames, kindTraits } from '#core/monitors/kind-traits.ts'
import { exampleOf, pageOf } from '../../test/support/kind-pages.ts'
import { member, openApiDocument } from '../../test/support/openapi.ts'
import { checkedKinds } from './checked-kinds.ts'
import { kinds } from './index.ts'

const schemas = member(openApiDocument(), 'components', 'schemas')

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })

describe('the registry of kinds', () => {
  it('has the kinds that the table of traits has', () =>
    assert.deepEqual(Object.keys(kinds).toSorted(), kindNames.toSorted()))

  for (const name of kindNames) {
    const kind = kinds[name]
    const optionNames = Object.keys(member(optionsSchema(name), 'properties'))

    it(`has ${name} under its own name, with its test`, () => {
      assert.equal(kind.name, name)
      const file = `${name.replaceAll('_', '-')}.test.ts`
      assert.ok(
        files.some((path) => basename(path) === file),
        `${file} is missing: src/kinds needs a test of this kind`,
      )
    })

    it(`gives probers the same ${name}, and none that no location checks`, async () => {
      const loads = new Map(Object.entries(checkedKinds))
      assert.equal(await loads.get(name)?.(), kindTraits[name].source === 'probed' ? kind : undefined)
    })

    it(`has a page for ${name} with an example, all options, and what up, down and degraded mean`, () => {
      assert.equal(exampleOf(name).kind, name)
      const page = pageOf(name)
      assert.match(page, new RegExp(`^# Kind \`${name}\`: \\S`))
      for (const option of optionNames) assert.match(page, new RegExp(`\`(?:check_options\\.)?${option}\``), option)
      const [, meaning = ''] = /\n## What it means\n(.+?)(?:\n## |$)/s.exec(page) ?? []
      for (const status of ['up', 'down', 'degraded'])
        assert.match(meaning, new RegExp(`\`${status}\``), `the page says what ${status} means`)
    })

    it(`describes ${name} in /openapi.json as what \`kind\` chooses, with every option in words`, () => {
      const { $ref } = member(inputSchema(name), 'properties', 'check_options')
      assert.equal(inputSchema(name)['title'], name)
      assert.deepEqual(member(inputSchema(name), 'properties', 'kind'), { type: 'string', const: name })
      assert.equal($ref, `#/components/schemas/${pascalCase(name)}Options`)
      const options = optionsSchema(name)
      assert.equal(options['additionalProperties'], false)
      assertDescribed(options, name)
    })

    it(`refuses an option that ${name} does not have, and names it`, () => {
      const parsed = kind.options.safeParse({ no_such_option: 1 })
      assert.equal(parsed.success, false)
      assert.ok(
        parsed.error?.issues.some(
          (issue) => issue.code === 'unrecognized_keys' && issue.keys.includes('no_such_option'),
        ),
      )
    })
  }
})

/** The schema that the discriminator leads to. */
function inputSchema(name: string): Record<string, unknown> {
  const target = member(schemas, 'KindInput', 'discriminator', 'mapping')[name]
  assert.equal(target, `#/components/schemas/${pascalCase(name)}Input`)
  return member(schemas, `${pascalCase(name)}Input`)
}

function optionsSchema(name: string): Record<string, unknown> {
  return member(schemas, `${pascalCase(name)}Options`)
}

/** Sentences, down to the members of lists. */
function assertDescribed(schema: Record<string, unknown>, path: string): void {
  assert.match(String(schema['description']), /^\S.{9,}[.]$/s, `${path} has no description`)
  for (const name of Object.keys(schema['properties'] === undefined ? {} : member(schema, 'properties')))
    assertDescribed(member(schema, 'properties', name), `${path}.${name}`)
  const items = schema['items'] === undefined ? {} : member(schema, 'items')
  for (const name of Object.keys(items['properties'] === undefined ? {} : member(items, 'properties')))
    assertDescribed(member(items, 'properties', name), `${path}[].${name}`)
}

function pascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}
