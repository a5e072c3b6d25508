import { readFileSync } from 'node:fs'
import { assertionGrant, assertionType, claimGrant } from '#core/people/agent.ts'
import { wellKnown } from '#core/language/well-known.ts'
import { addressesOf } from './addresses.ts'

/** /auth.md: how an agent comes to a token, for agents to read. Every line of shell runs as it stands. */
export function recipe(publicUrl: string): string {
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
  return text.replaceAll(/\{([a-z_]+)\}/g, (whole, word: string) => words[word] ?? whole)
}
