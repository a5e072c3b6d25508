import { accountOperations } from './account.ts'
import { agentOperations } from './agents.ts'
import { alertChannelOperations } from './alert-channels.ts'
import { auditOperations } from './audit.ts'
import { billingTermsOperations } from './billing-terms.ts'
import { callAddressOperations } from './call-address.ts'
import { contactChangeOperations } from './contact-changes.ts'
import { contactLogOperations } from './contact-log.ts'
import { creditOperations } from './credits.ts'
import { incidentOperations } from './incidents.ts'
import { installationOperations } from './installation.ts'
import { invitationOperations } from './invitations.ts'
import { locationOperations } from './locations.ts'
import { maintenanceOperations } from './maintenance.ts'
import { memberOperations } from './members.ts'
import { monitorsBulkOperations } from './monitors-bulk.ts'
import { monitorOperations } from './monitors.ts'
import type { AnyOperation } from './operation.ts'
import { overviewIncidentOperations } from './overview-incidents.ts'
import { overviewOperations } from './overview.ts'
import { paymentOperations } from './payments.ts'
import { quoteOperations } from './quotes.ts'
import { responseTimesOperations } from './response-times.ts'
import { resultOperations } from './results.ts'
import { sessionOperations } from './sessions.ts'
import { softwareCatalogOperations } from './software-catalog.ts'
import { softwareImportOperations } from './software-imports.ts'
import { softwareOperations } from './software.ts'
import { statusAddressOperations } from './status-address.ts'
import { statusPageOperations } from './status-pages.ts'
import { statusPostOperations } from './status-posts.ts'
import { statusSubscriberOperations } from './status-subscribers.ts'
import { takeoverOperations } from './takeover.ts'
import { tokenOperations } from './tokens.ts'
import { tryMonitorOperations } from './try-monitor.ts'
import { uptimeOperations } from './uptime.ts'
import { vulnerabilityOperations } from './vulnerabilities.ts'
import { workspaceOperations } from './workspaces.ts'

/** Every verb of the API and then of the console, in the order of their documents. */
export const operations: readonly AnyOperation[] = [
  ...accountOperations,
  ...alertChannelOperations,
  ...locationOperations,
  ...monitorOperations,
  ...quoteOperations,
  ...resultOperations,
  ...uptimeOperations,
  ...incidentOperations,
  ...creditOperations,
  ...paymentOperations,
  ...vulnerabilityOperations,
  ...softwareImportOperations,
  ...softwareOperations,
  ...softwareCatalogOperations,
  ...overviewOperations,
  ...responseTimesOperations,
  ...overviewIncidentOperations,
  ...agentOperations,
  ...workspaceOperations,
  ...statusPageOperations,
  ...statusAddressOperations,
  ...statusPostOperations,
  ...statusSubscriberOperations,
  ...takeoverOperations,
  ...billingTermsOperations,
  ...installationOperations,
  ...memberOperations,
  ...invitationOperations,
  ...tokenOperations,
  ...sessionOperations,
  ...contactChangeOperations,
  ...contactLogOperations,
  ...maintenanceOperations,
  ...auditOperations,
  ...tryMonitorOperations,
  ...callAddressOperations,
  ...monitorsBulkOperations,
]
