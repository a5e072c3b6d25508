import type { Hono } from 'hono'
import type { AgentIssuer } from '#core/people/agent.ts'
import type { HttpEnv } from '#http/environment.ts'
import type { Net } from '#net/net.ts'
import { createAssertions } from './assertions.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import type { AgentParts } from './agent-parts.ts'
import { createAgentRoutes } from './routes.ts'

export type AgentsOptions = Pick<
  AgentParts,
  'database' | 'secrets' | 'publicUrl' | 'takesClientDocuments' | 'limits' | 'admission'
> & {
  issuers: readonly AgentIssuer[]
  net: Pick<Net, 'http'>
  now: () => Date
}

/** All that agents ask of the service but the API itself. */
export function createAgents({ net, now, ...given }: AgentsOptions): Hono<HttpEnv> {
  const issuerKeys = createIssuerKeys(net)
  const assertions = createAssertions(given, given.publicUrl)
  return createAgentRoutes({ parts: { ...given, issuerKeys, assertions }, now })
}
