import { z } from 'zod'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import type { PolicyRecord } from '#core/contacts/escalation.ts'
import { shownAddress } from '#core/contacts/shown-address.ts'
import {
  type ExportedContact,
  type ExportedMonitor,
  type ExportedObjective,
  type ExportedPage,
  type ExportedPolicy,
  exportSchema,
  pathsIn,
  type WorkspaceExport,
} from '#core/projects/export-record.ts'
import type { StatusPageRecord } from '#core/status-pages/status-page.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { toContactRecord } from '#operations/contacts/contacts.ts'
import { toScheduleRecord } from '#operations/contacts/on-call-records.ts'
import { toMaintenanceRecord } from '#operations/maintenance.ts'
import { shownTo } from '#operations/monitors/shown-monitor.ts'
import { toReportRecord } from '#operations/reports/report-records.ts'
import { toPageRecord } from '#operations/status-pages/status-pages.ts'
import { type Contact, listContacts } from '#store/contacts/contacts.ts'
import { listPolicies } from '#store/contacts/escalation-policies.ts'
import { listSchedules } from '#store/contacts/on-call-schedules.ts'
import { openOptions } from '#store/contacts/sealed-options.ts'
import { listMaintenance } from '#store/maintenance/maintenance.ts'
import { listSlos, type StoredSlo } from '#store/objectives/slos.ts'
import { listProjectObjects } from '#store/projects/project-objects.ts'
import { listMonitorSettings, type SetMonitor } from '#store/projects/monitor-settings.ts'
import { listReports } from '#store/reports/reports.ts'
import { listStatusPages } from '#store/status-pages/status-pages.ts'

const exportWorkspace = defineOperation({
  name: 'export_workspace',
  method: 'GET',
  path: '/export',
  scope: 'read',
  surface: 'programs',
  tag: 'Account',
  summary: 'Export the settings of a workspace, from its contacts to its reports',
  description:
    'Everything in one answer. Monitors and objectives are shown with their settings, without results. Secrets are ' +
    'not shown; `secrets` says where some are set.',
  errors: [401],
  success: { status: 200, description: 'The workspace.', schema: z.strictObject({ data: exportSchema }) },
  run: async (context) => ({ status: 200, body: { data: await readWorkspace(context) } }),
})

export const projectOperations = [exportWorkspace]

/** What others name is read after them: what came meanwhile is there then, and what went is left out. */
export async function readWorkspace(context: Context): Promise<WorkspaceExport> {
  const { caller, services, now } = context
  const { workspaceId } = caller
  const { database, secrets } = services
  const reports = await listReports(database, { workspaceId })
  const objectives = await listSlos(database, workspaceId)
  const pages = await listStatusPages(database, workspaceId)
  const windows = await listMaintenance(database, { workspaceId, now })
  const monitors = await listMonitorSettings(database, secrets, { workspaceId })
  const policies = await listPolicies(database, workspaceId)
  const schedules = await listSchedules(database, { workspaceId })
  const contacts = await listContacts(database, workspaceId)
  const owners = await listProjectObjects(database, workspaceId)
  const projects = new Map(
    owners.map(({ id, project, key, prunedAt }) => [
      id,
      { id: project, key, pruned_at: prunedAt?.toISOString() ?? null },
    ]),
  )
  const present: Present = {
    monitors: idsOf(monitors),
    contacts: idsOf(contacts),
    policies: idsOf(policies),
    schedules: idsOf(schedules),
  }
  const owned = <Record extends { id: string }>(record: Record): Record & { project: Ownership } =>
    Object.assign(record, { project: projects.get(record.id) ?? null })
  return {
    exported_at: now.toISOString(),
    contacts: contacts.map((contact) => owned(toContact(contact, context))),
    on_call_schedules: schedules.map((schedule) => owned(toScheduleRecord(schedule))),
    escalation_policies: policies.map((policy) => owned(toPolicy(policy, present))),
    monitors: monitors.map((monitor) => owned(toMonitor(monitor, present, context))),
    status_pages: pages.map((page) => owned(toPage(toPageRecord(page, services)))),
    maintenance: windows.map((window) => owned(toMaintenanceRecord(window, now))),
    objectives: objectives.map((objective) => owned(toObjective(objective, present))),
    reports: reports.map((report) => owned(toReportRecord(report))),
  }
}

type Ownership = { id: string; key: string; pruned_at: string | null } | null
type Present = Readonly<Record<'monitors' | 'contacts' | 'policies' | 'schedules', ReadonlySet<unknown>>>

function idsOf(records: readonly { id: string }[]): ReadonlySet<unknown> {
  return new Set(records.map(({ id }) => id))
}

/** What was deleted stays in its steps, too. */
function toPolicy(policy: PolicyRecord, present: Present): Omit<ExportedPolicy, 'project'> {
  const steps = policy.steps.map((step) => ({
    ...step,
    contact_ids: step.contact_ids.filter((id) => present.contacts.has(id)),
    schedule_ids: step.schedule_ids.filter((id) => present.schedules.has(id)),
  }))
  return { ...policy, steps }
}

function toObjective(
  { workspaceId: _workspace, alarm: _alarm, createdAt, ...settings }: StoredSlo,
  present: Present,
): Omit<ExportedObjective, 'project'> {
  const { monitor_ids: monitors, alert_channel_ids: contacts, escalation_policy_id: policy } = settings
  return {
    ...settings,
    monitor_ids: monitors?.filter((id) => present.monitors.has(id)) ?? null,
    alert_channel_ids: contacts?.filter((id) => present.contacts.has(id)) ?? null,
    escalation_policy_id: present.policies.has(policy) ? policy : null,
    created_at: createdAt.toISOString(),
  }
}

/** A deleted monitor stays in the lists of others, since a delete locks no other monitors. */
function toMonitor(
  { id, status, billing_period, settings }: SetMonitor,
  present: Present,
  { caller }: Context,
): Omit<ExportedMonitor, 'project'> {
  const { request_headers: headers, secret_options: options, ...open } = settings
  const { escalation_policy_id: policyId, check_options: checkOptions } = open
  const members = checkOptions['member_ids']
  const isGroup = open.kind === 'group' && Array.isArray(members)
  const shown = shownTo(caller, open)
  return {
    id,
    ...shown,
    check_options: isGroup
      ? { ...checkOptions, member_ids: members.filter((member) => present.monitors.has(member)) }
      : shown.check_options,
    alert_channel_ids: open.alert_channel_ids?.filter((contact) => present.contacts.has(contact)) ?? null,
    depends_on: open.depends_on.filter((parent) => present.monitors.has(parent)),
    escalation_policy_id: policyId !== null && present.policies.has(policyId) ? policyId : null,
    billing_period,
    status,
    secrets: [...headerPaths(headers, caller), ...pathsIn(options, ['check_options'])],
  }
}

/** The names of headers belong to what a monitor sends, which viewers do not see. */
function headerPaths(headers: Record<string, string>, { person, scope }: Context['caller']): string[][] {
  const names = Object.keys(headers)
  if (names.length > 0 && person !== null && scope === 'read') return [['request_headers']]
  return names.map((name) => ['request_headers', name])
}

function toPage(record: StatusPageRecord): Omit<ExportedPage, 'project'> {
  return { ...record, secrets: record.has_password ? [['password']] : [] }
}

function toContact(contact: Contact, context: Context): Omit<ExportedContact, 'project'> {
  const { secretOptions } = openOptions(contact, context.services.secrets)
  const isSecret = contactTraitsOf(contact.kind)?.isAddressSecret === true
  return {
    ...toContactRecord(contact, context),
    ...(isSecret ? { destination: shownAddress(contact) } : {}),
    secrets: [...(isSecret ? [['destination']] : []), ...pathsIn(secretOptions, ['options'])],
  }
}
