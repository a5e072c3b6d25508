import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { kindNames } from '#core/monitor.ts'
import { kinds } from './index.ts'

describe('the registry of kinds', () => {
  for (const [name, kind] of Object.entries(kinds)) {
    const file = name.replaceAll('_', '-')
    it(`has ${name} under its own name, with its test and its page`, () => {
      assert.equal(kind.name, name)
      assert.ok(kindNames.some((known) => known === name))
      assert.ok(existsSync(new URL(`./${file}.test.ts`, import.meta.url)), `${file}.test.ts is missing`)
      const page = readFileSync(new URL(`../../docs/kinds/${name}.md`, import.meta.url), 'utf8')
      assert.match(page, new RegExp(`"kind": ?"${name}"`), 'the page has an example request')
      for (const status of ['up', 'down'])
        assert.match(page, new RegExp(`\\b${status}\\b`, 'i'), `the page says what ${status} means`)
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
