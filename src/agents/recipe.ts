import { readFileSync } from 'node:fs'
import { assertionGrant, assertionType, claimGrant } from '#core/people/agent.ts'
import { wellKnown } from '#core/language/well-known.ts'
import { addressesOf } from './addresses.ts'

/**
 * /auth.md: how an agent comes to a token, for agents to read. Every line of shell runs as it stands. `takesAnonymous`:
 * agents may begin in a workspace of their own.
 */
export function recipe(publicUrl: string, takesAnonymous: boolean): string {
  const { issuer, api, identity, claim, token, revocation, authorizationServer } = addressesOf(publicUrl)
  const words: Readonly<Record<string, string>> = {
    issuer,
    api,
    identity,
    claim,
    token,
    revocation,
    protected_resource: wellKnown(issuer, 'oauth-protected-resource'),
    authorization_server: authorizationServer,
    assertion_type: assertionType,
    assertion_grant: assertionGrant,
    claim_grant: claimGrant,
  }
  const text = readFileSync(new URL('auth.md', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => takesAnonymous || !/["`]anonymous["`]/.test(line))
  return lines.join('\n').replaceAll(/\{([a-z_]+)\}/g, (whole, word: string) => words[word] ?? whole)
}
