import type { Alert } from '#core/contacts/alerting.ts'
import { toPublicAlert } from '#core/contacts/public-alert.ts'
import { type FindingFieldName, type TemplateFieldName, templateFields } from '#core/contacts/template-fields.ts'
import type { Finding } from '#core/software/vulnerability.ts'
import { durationText } from './facts.ts'
import { wordingOf } from './wording.ts'

type Value = string | number | null
type FindingValues = Record<FindingFieldName, Value>
type Values = Record<TemplateFieldName, Value | string[] | FindingValues[]>

const maxFindings = 20

/** What templates can name of an alert: nothing that does not leave with it anyway. `publicUrl` has no final slash. */
export function templateValues(alert: Alert, publicUrl: string): Record<string, unknown> {
  const flat = valuesOf(alert, publicUrl)
  const nested: Record<string, unknown> = {}
  for (const { name } of templateFields) {
    const [room = '', member] = name.split('.')
    const held = nested[room]
    nested[room] =
      member === undefined ? flat[name] : { ...(typeof held === 'object' ? held : {}), [member]: flat[name] }
  }
  return nested
}

function valuesOf(alert: Alert, publicUrl: string): Values {
  const { type, timestamp, data } = toPublicAlert(alert)
  const { monitor, incident, result } = data
  return {
    event: type.replace('monitor.', '').replace('.', '_'),
    at: timestamp,
    'monitor.name': monitor?.name ?? null,
    'monitor.kind': monitor?.kind ?? null,
    'monitor.url': monitor?.url ?? null,
    'monitor.status': monitor?.current_status ?? null,
    'monitor.notes': monitor?.notes ?? null,
    'monitor.runbook_url': monitor?.runbook_url ?? null,
    'incident.title': incident?.title ?? null,
    'incident.cause': incident?.cause ?? null,
    'incident.started_at': incident?.started_at ?? null,
    'incident.resolved_at': incident?.resolved_at ?? null,
    'incident.duration': incident === null ? null : durationOf(incident),
    'children.total': 'children' in data ? data.children.total : null,
    'children.names': 'children' in data ? data.children.names : [],
    'result.location': result?.location_code ?? null,
    'result.status_code': result?.status_code ?? null,
    'result.latency_ms': result?.latency_ms ?? null,
    'result.error': result?.error ?? null,
    expires_at: 'expires_at' in data ? data.expires_at : null,
    days_left: 'days_left' in data ? data.days_left : null,
    findings: 'findings' in data ? data.findings.slice(0, maxFindings).map(findingValues) : [],
    total: 'total' in data ? data.total : null,
    ...sloValues(data),
    ...maintenanceValues(data),
    link: wordingOf(alert, { publicUrl }).link?.url ?? null,
  }
}

type SloFields = Extract<TemplateFieldName, `slo.${string}`>

function sloValues(data: Alert['data']): Record<SloFields, Value> {
  const slo = 'slo' in data ? data.slo : null
  return {
    'slo.name': slo?.name ?? null,
    'slo.objective': slo?.objective ?? null,
    'slo.attained': slo?.attained ?? null,
    'slo.budget_left_percent': slo?.budget_left_percent ?? null,
    'slo.burn_rate': slo?.burn_rate ?? null,
  }
}

type MaintenanceFields = Extract<TemplateFieldName, `maintenance.${string}`>

function maintenanceValues(data: Alert['data']): Record<MaintenanceFields, Value | string[]> {
  const maintenance = 'maintenance' in data ? data.maintenance : null
  return {
    'maintenance.name': maintenance?.name ?? null,
    'maintenance.starts_at': maintenance?.starts_at ?? null,
    'maintenance.ends_at': maintenance?.ends_at ?? null,
    'maintenance.total': maintenance?.monitors.total ?? null,
    'maintenance.names': maintenance?.monitors.names ?? [],
  }
}

function durationOf({
  started_at: from,
  resolved_at: until,
}: {
  started_at: string
  resolved_at: string | null
}): Value {
  return until === null ? null : durationText(Date.parse(until) - Date.parse(from))
}

/** The members that templates may name, and no others. */
function findingValues(finding: Finding): FindingValues {
  const { vuln_id, kind, software_name, version, severity, score, summary, fixed_in, fix_version, exploited_on, url } =
    finding
  return { vuln_id, kind, software_name, version, severity, score, summary, fixed_in, fix_version, exploited_on, url }
}
