import type { Hono } from 'hono'
import type { AgentIssuer } from '#core/people/agent.ts'
import type { HttpEnv } from '#http/environment.ts'
import { createAssertions } from './assertions.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import type { AgentParts } from './agent-parts.ts'
import { createAgentRoutes } from './routes.ts'

export type AgentsOptions = Pick<
  AgentParts,
  'database' | 'secrets' | 'publicUrl' | 'takesClientDocuments' | 'carriers' | 'limits' | 'admission'
> & {
  issuers: readonly AgentIssuer[]
  now: () => Date
}

/** All that agents ask of the service but the API itself. */
export function createAgents({ now, ...given }: AgentsOptions): Hono<HttpEnv> {
  const issuerKeys = createIssuerKeys(given.carriers.net)
  const assertions = createAssertions(given, given.publicUrl)
  return createAgentRoutes({ parts: { ...given, issuerKeys, assertions }, now })
}
