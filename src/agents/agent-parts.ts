import type { AgentIssuer } from '#core/people/agent.ts'
import type { Admission } from '#operations/admission/admission.ts'
import type { DeviceServices } from '#operations/people/oauth-device.ts'
import type { AgentServices } from '#operations/people/agent-assertions.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { AgentKeySet } from './assertions.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** What the agents' endpoints work with. */
export type AgentParts = Omit<AgentServices, 'assertions' | 'limits'> & {
  /** Root of every link we hand out, and our name as issuer; without a final slash. */
  publicUrl: string
  takesClientDocuments: DeviceServices['takesClientDocuments']
  carriers: DeviceServices['carriers']
  /** Providers whose word counts. */
  issuers: readonly AgentIssuer[]
  issuerKeys: IssuerKeys
  assertions: AgentServices['assertions'] & AgentKeySet
  limits: AgentServices['limits'] & Pick<Limits, 'countAgentCall' | 'countOauthClient'>
  admission: Pick<Admission, 'within'>
}
