import { raiseGeneration, lockRegistration } from '#store/people/agent-registrations.ts'
import { revokeAgentToken, revokeAgentTokens } from '#store/people/agent-tokens.ts'
import { isAgentTokenText } from '#core/people/token-format.ts'
import type { AgentParts } from './agent-parts.ts'

/**
 * Ends a token that whoever shows it may end (RFC 7009): an access token, or with an assertion all tokens and
 * assertions of its agent. What is neither is none of ours, and is ended already.
 */
export async function revoke(
  { database, assertions }: Pick<AgentParts, 'database' | 'assertions'>,
  token: string,
  now: Date,
): Promise<void> {
  if (isAgentTokenText(token)) return revokeAgentToken(database, token)
  const claims = await assertions.verify(token, now)
  if (claims === null) return
  await database.transaction(async (tx) => {
    const registration = await lockRegistration(tx, { id: claims.registrationId })
    if (registration === null || registration.generation !== claims.generation) return
    await raiseGeneration(tx, registration.id)
    await revokeAgentTokens(tx, registration.id)
  })
}
