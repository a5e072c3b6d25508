import type { ToolsetName } from '#core/toolsets.ts'
import type { OwnToolName } from './own-tools.ts'
import { type Tool, type ToolOptions, toolsFor } from './tool.ts'

/** What each toolset offers before the operations. */
export const ownToolsOf: Readonly<Record<ToolsetName, readonly OwnToolName[]>> = {
  monitors: ['find_monitors', 'get_monitor_kind', 'check_monitor'],
  incidents: ['find_monitors', 'check_monitor'],
  contacts: ['get_contact_kind'],
  'on-call': [],
  reports: ['find_monitors'],
  objectives: ['find_monitors'],
  software: ['find_monitors'],
  account: [],
}

/**
 * The operations that each toolset offers, in the order in which it shows them. An argument is described by the first
 * tool that has it.
 */
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
    'try_monitor',
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
    'list_exposures',
    'get_exposure',
    'verify_exposure',
    'get_exposure_report',
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
export function createToolset(name: ToolsetName, { operations, ...options }: ToolOptions): Tool[] {
  const offered = operations.filter((operation) => operation.actsFor === 'workspace')
  const chosen = toolsOf[name].flatMap((tool) => offered.filter((operation) => operation.name === tool))
  const hasFinder = ownToolsOf[name].includes('find_monitors')
  return toolsFor(chosen, options).map((tool) => withoutOutput(hasFinder ? foundByName(tool) : tool))
}

function withoutOutput({ definition: { outputSchema: _answered, ...definition }, ...tool }: Tool): Tool {
  return { ...tool, definition }
}

/** Where ids of monitors are found with the fewest words. */
function foundByName(tool: Tool): Tool {
  const isOfMonitor = tool.operation.path.startsWith('/monitors/{id}')
  return isOfMonitor ? { ...tool, finders: { ...tool.finders, id: 'find_monitors' } } : tool
}
