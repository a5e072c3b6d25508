import { accountOperations } from './account.ts'
import { agentOperations } from './agents.ts'
import { alertChannelOperations } from './alert-channels.ts'
import { auditOperations } from './audit.ts'
import { incidentOperations } from './incidents.ts'
import { invitationOperations } from './invitations.ts'
import { locationOperations } from './locations.ts'
import { memberOperations } from './members.ts'
import { monitorOperations } from './monitors.ts'
import type { AnyOperation } from './operation.ts'
import { resultOperations } from './results.ts'
import { sessionOperations } from './sessions.ts'
import { tokenOperations } from './tokens.ts'
import { uptimeOperations } from './uptime.ts'
import { workspaceOperations } from './workspaces.ts'

/** Every verb of the API and then of the console, in the order of their documents. */
export const operations: readonly AnyOperation[] = [
  ...accountOperations,
  ...alertChannelOperations,
  ...locationOperations,
  ...monitorOperations,
  ...resultOperations,
  ...uptimeOperations,
  ...incidentOperations,
  ...agentOperations,
  ...workspaceOperations,
  ...memberOperations,
  ...invitationOperations,
  ...tokenOperations,
  ...sessionOperations,
  ...auditOperations,
]
