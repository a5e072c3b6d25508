import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { contactKindNames, contactTraits } from '#core/contacts/contact-kinds.ts'
import { contactKinds, findContactKind } from './index.ts'

const page = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8')

describe('the registry of contact kinds', () => {
  for (const name of contactKindNames) {
    const kind = contactKinds[name]

    it(`has ${name} under its own name, with its traits`, () => {
      assert.equal(kind.name, name)
      assert.partialDeepStrictEqual(kind, contactTraits[name])
    })

    it(`takes a contact of kind ${name} that has no options, and refuses one that there is not`, () => {
      assert.ok(kind.options.safeParse({}).success)
      assert.equal(kind.options.safeParse({ no_such_option: 1 }).success, false)
    })

    it(`has a description of ${name} in docs/alerts.md`, () =>
      assert.ok(page.includes(`\`${name}\``), `docs/alerts.md does not say what the kind ${name} is`))
  }

  it('finds a kind by its name, and none for a name that every object has', () => {
    assert.equal(findContactKind('email'), contactKinds.email)
    for (const name of ['pager', 'toString', '__proto__']) assert.equal(findContactKind(name), null)
  })
})
