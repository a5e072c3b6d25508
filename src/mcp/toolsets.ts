import type { ToolsetName } from '#core/toolsets.ts'
import { type Tool, type ToolOptions, createTools } from './tool.ts'

/** What each toolset offers, in the order in which it is shown. An argument is described by the first tool that has it. */
export const toolsOf: Readonly<Record<ToolsetName, readonly string[]>> = {
  monitors: [
    'list_monitors',
    'get_monitor',
    'create_monitor',
    'update_monitor',
    'delete_monitor',
    'pause_monitor',
    'resume_monitor',
    'renew_monitor',
    'quote_monitor',
    'quote_monitor_change',
    'quote_renewal',
    'list_locations',
    'list_parent_proposals',
  ],
  incidents: [
    'list_incidents',
    'get_incident',
    'acknowledge_incident',
    'get_incident_evidence',
    'list_monitors',
    'get_monitor',
    'list_results',
    'list_monitor_events',
    'get_uptime',
  ],
  contacts: [
    'list_alert_channels',
    'create_alert_channel',
    'update_alert_channel',
    'delete_alert_channel',
    'test_alert_channel',
    'preview_alert_templates',
    'list_escalation_policies',
    'get_escalation_policy',
    'create_escalation_policy',
    'update_escalation_policy',
    'delete_escalation_policy',
  ],
  'on-call': [
    'get_on_call',
    'list_on_call_shifts',
    'list_on_call_schedules',
    'get_on_call_schedule',
    'create_on_call_schedule',
    'update_on_call_schedule',
    'delete_on_call_schedule',
    'import_on_call_schedules',
    'list_on_call_overrides',
    'create_on_call_override',
    'delete_on_call_override',
    'list_alert_channels',
  ],
  reports: [
    'list_reports',
    'get_report_content',
    'create_report',
    'update_report',
    'delete_report',
    'send_report',
    'list_alert_channels',
  ],
  objectives: ['list_slos', 'get_slo', 'create_slo', 'update_slo', 'delete_slo'],
  software: [
    'get_vulnerabilities',
    'scan_vulnerabilities',
    'mark_finding_fixed',
    'import_software',
    'remove_software_import',
    'add_software',
    'update_software',
    'remove_software',
    'list_software_catalog',
  ],
  account: [
    'get_account',
    'update_billing_details',
    'top_up_credit',
    'list_credit_transactions',
    'list_payments',
    'get_payment',
    'get_receipt',
    'list_locations',
  ],
}

/**
 * The tools of a toolset, described by themselves alone, and without what they answer: that would take more of a
 * context than everything else.
 */
export function createToolset(name: ToolsetName, options: ToolOptions): Tool[] {
  const chosen = toolsOf[name].flatMap((tool) => options.operations.filter((operation) => operation.name === tool))
  return createTools({ ...options, operations: chosen }).map(withoutOutput)
}

function withoutOutput({ definition: { outputSchema: _answered, ...definition }, ...tool }: Tool): Tool {
  return { ...tool, definition }
}
