import { accountOperations } from '#operations/workspaces/account.ts'
import { agentOperations } from '#operations/people/agents.ts'
import { authorizationOperations } from '#operations/people/authorizations.ts'
import { contactOperations } from '#operations/contacts/contacts.ts'
import { auditOperations } from '#operations/workspaces/audit.ts'
import { billingTermsOperations } from '#operations/money/billing-terms.ts'
import { callAddressOperations } from '#operations/monitors/call-address.ts'
import { importedCallOperations } from '#operations/monitors/imported-calls.ts'
import { templatePreviewOperations } from '#operations/contacts/template-preview.ts'
import { contactChangeOperations } from '#operations/contacts/contact-changes.ts'
import { contactUpdateOperations } from '#operations/contacts/contact-update.ts'
import { contactLogOperations } from '#operations/contacts/contact-log.ts'
import { creditOperations } from '#operations/money/credits.ts'
import { escalationPolicyOperations } from '#operations/contacts/escalation-policies.ts'
import { assignmentOperations } from './incidents/assignment.ts'
import { incidentByHandOperations } from './incidents/by-hand.ts'
import { incidentCommentOperations } from './incidents/comments.ts'
import { incidentEvidenceOperations } from './incidents/incident-evidence.ts'
import { monitorRouteOperations } from './incidents/monitor-routes.ts'
import { incidentOperations } from './incidents/incidents.ts'
import { installationOperations } from './installation.ts'
import { invitationOperations } from '#operations/people/invitations.ts'
import { locationOperations } from './locations.ts'
import { maintenanceOperations } from './maintenance.ts'
import { memberOperations } from '#operations/people/members.ts'
import { monitorEventOperations } from '#operations/monitors/monitor-events.ts'
import { parentProposalOperations } from '#operations/monitors/parent-proposals.ts'
import { rhythmProposalOperations } from '#operations/monitors/rhythm-proposal.ts'
import { monitorsBulkOperations } from '#operations/monitors/monitors-bulk.ts'
import { monitorViewOperations } from '#operations/monitors/monitor-views.ts'
import { monitorMetricsOperations } from '#operations/overview/monitor-metrics.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'
import { onCallCalendarOperations } from '#operations/contacts/on-call-calendar.ts'
import { onCallOperations } from '#operations/contacts/on-call.ts'
import { onCallOverrideOperations } from '#operations/contacts/on-call-overrides.ts'
import { onCallImportOperations } from '#operations/contacts/on-call-import.ts'
import { onCallScheduleOperations } from '#operations/contacts/on-call-schedules.ts'
import { objectiveOperations } from './objectives.ts'
import { overviewIncidentOperations } from '#operations/overview/overview-incidents.ts'
import { savedViewOperations } from '#operations/overview/saved-views.ts'
import { overviewOperations } from '#operations/overview/overview.ts'
import { providerLinkOperations } from '#operations/people/provider-links.ts'
import { signInDomainOperations } from '#operations/people/sign-in-domains.ts'
import { singleSignOnOperations } from '#operations/people/single-sign-on.ts'
import { screenOperations } from '#operations/overview/screens.ts'
import { paymentOperations } from '#operations/money/payments.ts'
import { quoteOperations } from '#operations/money/quotes.ts'
import { reportContentOperations } from '#operations/reports/report-content.ts'
import { reportOperations } from '#operations/reports/reports.ts'
import { responseTimesOperations } from '#operations/results/response-times.ts'
import { secretComparisonOperations } from './projects/compare-secrets.ts'
import { ownershipOperations } from './projects/own-objects.ts'
import { exportDaysOperations } from './projects/export-days.ts'
import { projectOperations } from './projects/export-workspace.ts'
import { resultPageOperations } from '#operations/results/result-pages.ts'
import { resultOperations } from '#operations/results/results.ts'
import { sessionOperations } from '#operations/people/sessions.ts'
import { exposureReportOperations } from '#operations/software/exposure-report.ts'
import { exposureOperations } from '#operations/software/exposures.ts'
import { softwareCatalogOperations } from '#operations/software/software-catalog.ts'
import { softwareImportOperations } from '#operations/software/software-imports.ts'
import { softwareOperations } from '#operations/software/software.ts'
import { draftPreviewOperations } from '#operations/status-pages/draft-preview.ts'
import { statusAccentOperations } from '#operations/status-pages/page-accent.ts'
import { statusAddressOperations } from '#operations/status-pages/page-address.ts'
import { statusImageOperations } from '#operations/status-pages/images.ts'
import { statusPageOperations } from '#operations/status-pages/status-pages.ts'
import { statusPostOperations } from '#operations/status-pages/posts.ts'
import { statusSubscriberOperations } from '#operations/status-pages/subscribers.ts'
import { takeoverOperations } from '#operations/workspaces/workspace-takeover.ts'
import { tokenOperations } from '#operations/people/tokens.ts'
import { purchaseOperations } from '#operations/purchases/purchases.ts'
import { tryMonitorOperations } from '#operations/monitors/try-monitor.ts'
import { importOperations } from '#operations/imports/imports.ts'
import { undoImportOperations } from '#operations/imports/undo-import.ts'
import { readImportOperations } from '#operations/imports/read-import.ts'
import { importedDaysOperations } from './results/imported-days.ts'
import { signedHistoryOperations } from './results/signed-history.ts'
import { signedWorkspaceOperations } from './results/signed-workspace.ts'
import { uptimeOperations } from '#operations/results/uptime.ts'
import { verifyExposureOperations } from '#operations/software/verify-exposure.ts'
import { vulnerabilityOperations } from '#operations/software/vulnerabilities.ts'
import { workspaceOperations } from '#operations/workspaces/workspaces.ts'

/** Every verb of the API and then of the console, in the order of their documents. */
export const operations: readonly AnyOperation[] = [
  ...accountOperations,
  ...contactOperations,
  ...contactUpdateOperations,
  ...escalationPolicyOperations,
  ...templatePreviewOperations,
  ...onCallOperations,
  ...onCallScheduleOperations,
  ...onCallImportOperations,
  ...onCallOverrideOperations,
  ...onCallCalendarOperations,
  ...reportOperations,
  ...reportContentOperations,
  ...locationOperations,
  ...monitorOperations,
  ...monitorMetricsOperations,
  ...quoteOperations,
  ...resultOperations,
  ...resultPageOperations,
  ...uptimeOperations,
  ...importedDaysOperations,
  ...signedHistoryOperations,
  ...signedWorkspaceOperations,
  ...incidentOperations,
  ...monitorEventOperations,
  ...monitorViewOperations,
  ...purchaseOperations,
  ...parentProposalOperations,
  ...rhythmProposalOperations,
  ...incidentEvidenceOperations,
  ...monitorRouteOperations,
  ...incidentCommentOperations,
  ...assignmentOperations,
  ...incidentByHandOperations,
  ...objectiveOperations,
  ...creditOperations,
  ...paymentOperations,
  ...vulnerabilityOperations,
  ...exposureOperations,
  ...verifyExposureOperations,
  ...exposureReportOperations,
  ...softwareImportOperations,
  ...softwareOperations,
  ...softwareCatalogOperations,
  ...overviewOperations,
  ...responseTimesOperations,
  ...overviewIncidentOperations,
  ...savedViewOperations,
  ...screenOperations,
  ...singleSignOnOperations,
  ...signInDomainOperations,
  ...agentOperations,
  ...authorizationOperations,
  ...workspaceOperations,
  ...statusPageOperations,
  ...statusAddressOperations,
  ...statusImageOperations,
  ...statusAccentOperations,
  ...draftPreviewOperations,
  ...statusPostOperations,
  ...statusSubscriberOperations,
  ...takeoverOperations,
  ...billingTermsOperations,
  ...installationOperations,
  ...memberOperations,
  ...invitationOperations,
  ...tokenOperations,
  ...sessionOperations,
  ...providerLinkOperations,
  ...contactChangeOperations,
  ...contactLogOperations,
  ...maintenanceOperations,
  ...auditOperations,
  ...tryMonitorOperations,
  ...callAddressOperations,
  ...monitorsBulkOperations,
  ...projectOperations,
  ...exportDaysOperations,
  ...ownershipOperations,
  ...secretComparisonOperations,
  ...importedCallOperations,
  ...readImportOperations,
  ...importOperations,
  ...undoImportOperations,
]
