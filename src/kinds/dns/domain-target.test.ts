import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { kinds } from '#kinds/index.ts'

describe('a target that is a domain name', () => {
  for (const name of ['dns', 'domain', 'email_auth', 'blacklist'] as const) {
    const problem = (url: string): string | null => kinds[name].targetProblem(url, () => false)

    it(`of kind ${name} may be an address that holds it`, () => assert.equal(problem('https://example.com/a?b'), null))

    for (const url of ['https://probe:secret@example.com/', 'http://probe@example.com', 'HTTPS://:secret@example.com'])
      it(`of kind ${name} holds no secret: ${url}`, () =>
        assert.equal(problem(url), 'Must not hold a user name or password.'))
  }
})
