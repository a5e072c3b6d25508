import type { AgentIssuer } from '#core/people/agent.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Database } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'
import type { Assertions } from './assertions.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** What the agents' endpoints work with. */
export type AgentParts = {
  database: Database
  secrets: Secrets
  /** Root of every link we hand out, and our name as issuer; without a final slash. */
  publicUrl: string
  /** Providers whose word counts. */
  issuers: readonly AgentIssuer[]
  issuerKeys: IssuerKeys
  assertions: Assertions
  limits: Pick<Limits, 'countRegistration' | 'countAnonymous' | 'countAgentCall'>
}

/** One request: when it came, and from where, as limits count addresses. */
export type AgentCall = { now: Date; address: string }
