import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { AuditEntryRecord } from '../../api/console.ts'
import { labelOf } from '../../api/schema.ts'
import type { targets } from './audit-filter.ts'

type Names = { actor: string; target: string }
type Words = (names: Names) => string

/** What each action of the audit log is in words. A test compares the actions with the operations. */
const sentences: Readonly<Record<string, Words>> = {
  create_workspace: ({ actor }) => t`${actor} created the workspace.`,
  rename_workspace: ({ actor, target }) => t`${actor} renamed the workspace to ${target}.`,
  delete_workspace: ({ actor }) => t`${actor} deleted the workspace.`,
  restore_workspace: ({ actor }) => t`${actor} restored the workspace.`,
  revoke_workspace: ({ actor }) => t`${actor} closed the workspace.`,
  take_over_workspace: ({ actor, target }) => t`${actor} took over the workspace ${target}.`,
  set_up: ({ actor }) => t`${actor} set up this installation.`,
  create_set_up_link: ({ actor }) => t`${actor} created a set-up link.`,
  change_plan: ({ actor }) => t`${actor} changed the plan.`,
  update_billing_details: ({ actor }) => t`${actor} changed the billing details.`,
  top_up_credit: ({ actor }) => t`${actor} topped up the credit.`,
  own_project_objects: ({ actor, target }) => t`${actor} added objects to the project ${target}.`,
  import_call_addresses: ({ actor, target }) => t`${actor} imported ${target} from another tool.`,

  start_import: ({ actor, target }) => t`${actor} started to import ${target}.`,
  continue_import: ({ actor, target }) => t`${actor} continued to import ${target}.`,
  undo_import: ({ actor, target }) => t`${actor} undid the import of ${target}.`,

  create_monitor: ({ actor, target }) => t`${actor} created the monitor ${target}.`,
  update_monitor: ({ actor, target }) => t`${actor} changed the monitor ${target}.`,
  change_monitors: ({ actor, target }) => t`${actor} changed the monitor ${target}.`,
  delete_monitor: ({ actor, target }) => t`${actor} deleted the monitor ${target}.`,
  pause_monitor: ({ actor, target }) => t`${actor} paused the monitor ${target}.`,
  resume_monitor: ({ actor, target }) => t`${actor} resumed the monitor ${target}.`,
  renew_monitor: ({ actor, target }) => t`${actor} renewed the monitor ${target}.`,
  replace_call_address: ({ actor, target }) => t`${actor} replaced the address of the monitor ${target}.`,
  import_days: ({ actor, target }) => t`${actor} imported the history of the monitor ${target}.`,
  scan_vulnerabilities: ({ actor, target }) => t`${actor} had the software of ${target} scanned.`,
  verify_exposure: ({ actor, target }) => t`${actor} had the software of ${target} scanned from several locations.`,
  mark_finding_fixed: ({ actor, target }) => t`${actor} marked a vulnerability of ${target} as fixed.`,
  import_software: ({ actor, target }) => t`${actor} imported the software of ${target}.`,
  remove_software_import: ({ actor, target }) => t`${actor} removed imported software of ${target}.`,
  add_software: ({ actor, target }) => t`${actor} added software to ${target}.`,
  update_software: ({ actor, target }) => t`${actor} changed software of ${target}.`,
  remove_software: ({ actor, target }) => t`${actor} removed software of ${target}.`,

  acknowledge_incident: ({ actor, target }) => t`${actor} acknowledged the incident of ${target}.`,
  create_incident: ({ actor, target }) => t`${actor} reported the incident ${target}.`,
  resolve_incident: ({ actor, target }) => t`${actor} resolved the incident ${target}.`,
  assign_incident: ({ actor, target }) => t`${actor} assigned the incident of ${target}.`,
  create_incident_comment: ({ actor, target }) => t`${actor} commented on ${target}.`,
  update_incident_comment: ({ actor, target }) => t`${actor} changed a comment on ${target}.`,
  delete_incident_comment: ({ actor, target }) => t`${actor} deleted a comment on ${target}.`,
  create_incident_post: ({ actor, target }) => t`${actor} wrote an update about ${target}.`,

  create_alert_channel: ({ actor, target }) => t`${actor} added the contact ${target}.`,
  update_alert_channel: ({ actor, target }) => t`${actor} changed the contact ${target}.`,
  delete_alert_channel: ({ actor, target }) => t`${actor} deleted the contact ${target}.`,
  test_alert_channel: ({ actor, target }) => t`${actor} tested the contact ${target}.`,
  confirm_alert_channel: ({ actor, target }) => t`${actor} confirmed the contact ${target}.`,
  disable_alert_channel: ({ actor, target }) => t`${actor} switched off the contact ${target}.`,
  unsubscribe_alert_channel: ({ actor, target }) => t`${actor} unsubscribed the contact ${target}.`,
  resend_confirmation: ({ actor, target }) => t`${actor} sent the confirmation of ${target} again.`,
  rotate_signing_secret: ({ actor, target }) => t`${actor} replaced the signing secret of ${target}.`,
  resend_delivery: ({ actor, target }) => t`${actor} sent an alert to ${target} again.`,

  create_escalation_policy: ({ actor, target }) => t`${actor} created the escalation policy ${target}.`,
  update_escalation_policy: ({ actor, target }) => t`${actor} changed the escalation policy ${target}.`,
  delete_escalation_policy: ({ actor, target }) => t`${actor} deleted the escalation policy ${target}.`,
  create_on_call_schedule: ({ actor, target }) => t`${actor} created the on-call schedule ${target}.`,
  update_on_call_schedule: ({ actor, target }) => t`${actor} changed the on-call schedule ${target}.`,
  delete_on_call_schedule: ({ actor, target }) => t`${actor} deleted the on-call schedule ${target}.`,
  import_on_call_schedules: ({ actor, target }) => t`${actor} imported the on-call schedule ${target}.`,
  create_on_call_override: ({ actor, target }) => t`${actor} added an override to ${target}.`,
  delete_on_call_override: ({ actor, target }) => t`${actor} removed an override from ${target}.`,
  replace_on_call_calendar: ({ actor, target }) => t`${actor} created a new calendar address for ${target}.`,
  delete_on_call_calendar: ({ actor, target }) => t`${actor} removed the calendar address of ${target}.`,

  create_report: ({ actor, target }) => t`${actor} created the report ${target}.`,
  update_report: ({ actor, target }) => t`${actor} changed the report ${target}.`,
  delete_report: ({ actor, target }) => t`${actor} deleted the report ${target}.`,
  send_report: ({ actor, target }) => t`${actor} sent a test of the report ${target}.`,
  unsubscribe_report: ({ actor, target }) => t`${actor} unsubscribed from the report ${target}.`,

  create_saved_view: ({ actor, target }) => t`${actor} saved the view ${target}.`,
  update_saved_view: ({ actor, target }) => t`${actor} changed the saved view ${target}.`,
  delete_saved_view: ({ actor, target }) => t`${actor} deleted the saved view ${target}.`,

  create_slo: ({ actor, target }) => t`${actor} created the objective ${target}.`,
  update_slo: ({ actor, target }) => t`${actor} changed the objective ${target}.`,
  delete_slo: ({ actor, target }) => t`${actor} deleted the objective ${target}.`,
  acknowledge_slo: ({ actor, target }) => t`${actor} acknowledged the alarm of the objective ${target}.`,

  create_status_page: ({ actor, target }) => t`${actor} created the status page ${target}.`,
  update_status_page: ({ actor, target }) => t`${actor} changed the status page ${target}.`,
  delete_status_page: ({ actor, target }) => t`${actor} deleted the status page ${target}.`,
  set_status_page_logo: ({ actor, target }) => t`${actor} set the logo of the status page ${target}.`,
  delete_status_page_logo: ({ actor, target }) => t`${actor} removed the logo of the status page ${target}.`,
  set_status_page_favicon: ({ actor, target }) => t`${actor} set the icon of the status page ${target}.`,
  delete_status_page_favicon: ({ actor, target }) => t`${actor} removed the icon of the status page ${target}.`,
  create_announcement: ({ actor, target }) => t`${actor} wrote an announcement on ${target}.`,
  update_status_post: ({ actor, target }) => t`${actor} changed a post on ${target}.`,
  delete_status_post: ({ actor, target }) => t`${actor} deleted a post on ${target}.`,
  create_status_subscriber: ({ actor, target }) => t`${actor} added a subscriber to ${target}.`,
  delete_status_subscriber: ({ actor, target }) => t`${actor} removed a subscriber from ${target}.`,

  create_maintenance_window: ({ actor, target }) => t`${actor} planned the maintenance ${target}.`,
  update_maintenance_window: ({ actor, target }) => t`${actor} changed the maintenance ${target}.`,
  delete_maintenance_window: ({ actor, target }) => t`${actor} deleted the maintenance ${target}.`,
  end_maintenance: ({ actor, target }) => t`${actor} ended the maintenance ${target}.`,

  create_api_token: ({ actor, target }) => t`${actor} created the API token ${target}.`,
  replace_api_token: ({ actor, target }) => t`${actor} replaced the API token ${target}.`,
  revoke_api_token: ({ actor, target }) => t`${actor} revoked the API token ${target}.`,
  create_screen: ({ actor, target }) => t`${actor} created the screen ${target}.`,
  update_screen: ({ actor, target }) => t`${actor} changed the screen ${target}.`,
  delete_screen: ({ actor, target }) => t`${actor} deleted the screen ${target}.`,
  sign_in_by_provider: ({ actor }) => t`${actor} signed in by single sign-on.`,
  join_by_provider: ({ actor }) => t`${actor} joined the workspace by single sign-on.`,
  follow_groups: ({ target }) => t`The role of ${target} followed the groups of single sign-on.`,
  link_provider: ({ actor }) => t`${actor} linked their account with single sign-on.`,
  set_identity_provider: ({ actor, target }) => t`${actor} set up ${target} as the provider of single sign-on.`,
  delete_identity_provider: ({ actor, target }) => t`${actor} removed ${target} as the provider of single sign-on.`,
  add_sign_in_domain: ({ actor, target }) => t`${actor} added the domain ${target} for single sign-on.`,
  prove_sign_in_domain: ({ actor, target }) => t`${actor} proved the domain ${target} for single sign-on.`,
  remove_sign_in_domain: ({ actor, target }) => t`${actor} removed the domain ${target} from single sign-on.`,
  register_agent: ({ target }) => t`The agent ${target} registered itself.`,
  update_agent: ({ actor, target }) => t`${actor} changed what the agent ${target} may spend.`,
  disconnect_agent: ({ actor, target }) => t`${actor} disconnected the agent ${target}.`,
  authorize_device: ({ actor, target }) => t`${actor} let in the program ${target}.`,
  authorize_program: ({ actor, target }) => t`${actor} let in the program ${target}.`,
  complete_claim: ({ actor, target }) => t`${actor} let in the agent ${target}.`,
  create_invitation: ({ actor, target }) => t`${actor} invited ${target}.`,
  revoke_invitation: ({ actor, target }) => t`${actor} revoked the invitation of ${target}.`,
  accept_invitation: ({ actor }) => t`${actor} joined the workspace.`,
  change_member_role: ({ actor, target }) => t`${actor} changed the role of ${target}.`,
  remove_member: ({ actor, target }) => t`${actor} removed ${target} from the workspace.`,
}

/** What an entry says happened. An action that is new to this page is told by its name. */
export function sentenceOf({ actor, action, target }: AuditEntryRecord): string {
  if (action === 'remove_member' && actor.id === target.id) return t`${{ actor: actor.name }} left the workspace.`
  const names = { actor: actor.name, target: target.name ?? targetWord(target.kind) }
  const plain = action.replaceAll('_', ' ')
  return sentences[action]?.(names) ?? `${names.actor}: ${plain} · ${names.target}`
}

/** A field in words: its own, where the name of the API has another word or a unit in it. */
export function fieldWord(name: string): string {
  return fields[name]?.() ?? labelOf(name).label
}

const fields: Readonly<Record<string, () => string>> = {
  alert_channel_ids: () => t`Contacts`,
  alert_channel_tags: () => t`Tags of contacts`,
  check_options: () => t`Options of the check`,
  confirmation_threshold: () => t`Locations that have to agree`,
  contact_ids: () => t`Contacts`,
  depends_on: () => t`Depends on`,
  enabled: () => t`Switched on or off`,
  escalation_policy_id: () => t`Escalation policy`,
  expected_status_max: () => t`Accepted status codes`,
  expected_status_min: () => t`Accepted status codes`,
  expected_statuses: () => t`Accepted status codes`,
  failure_threshold: () => t`Failures in a row`,
  retry_interval_seconds: () => t`Interval after a failure`,
  heartbeat_grace_seconds: () => t`Grace period`,
  interval_seconds: () => t`Interval`,
  monitor_ids: () => t`Monitors`,
  recovery_threshold: () => t`Successes in a row`,
  url: () => t({ message: 'Target', context: 'field of a monitor' }),
}

export const targetWords: Readonly<Record<(typeof targets)[number], MessageDescriptor>> = {
  monitor: msg`Monitors`,
  incident: msg`Incidents`,
  alert_channel: msg`Contacts`,
  escalation_policy: msg`Escalation policies`,
  on_call_schedule: msg`On-call schedules`,
  slo: msg`Objectives`,
  maintenance_window: msg`Maintenance`,
  status_page: msg`Status pages`,
  report: msg`Reports`,
  saved_view: msg`Saved views`,
  member: msg`Members`,
  invitation: msg`Invitations`,
  api_token: msg`API tokens`,
  agent: msg`Agents`,
  screen: msg`Screens`,
  identity_provider: msg`Providers of single sign-on`,
  sign_in_domain: msg`Domains of single sign-on`,
  workspace: msg`Workspace`,
}

export const actorWords: Readonly<Record<AuditEntryRecord['actor']['kind'], MessageDescriptor>> = {
  person: msg`People`,
  token: msg`API tokens`,
  agent: msg`Agents`,
  operator: msg`Operator of the machine`,
  system: msg`The service itself`,
}

/** Of something that has lost its name. */
function targetWord(kind: string): string {
  return kind.replaceAll('_', ' ')
}
