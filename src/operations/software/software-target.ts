import { fail } from '#core/language/error.ts'
import { type KindName, kindTraits, scannedKindsText } from '#core/monitors/kind-traits.ts'
import type { Software, Vulnerabilities } from '#core/software/vulnerability.ts'
import { findFinding, type FoundFinding } from '#store/software/findings.ts'
import {
  findSoftware,
  findSoftwareMonitor,
  readSoftwareReport,
  type SoftwareMonitor,
  type SoftwareReport,
} from '#store/software/software-reports.ts'
import { monitorNotFound, planOf } from '#operations/monitors/monitor-surroundings.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'

export async function findReported(context: Context, path: Record<string, string>): Promise<SoftwareMonitor> {
  const { caller, services } = context
  const { id: monitorId = '' } = path
  const found = await findSoftwareMonitor(services.database, { workspaceId: caller.workspaceId, monitorId })
  return found ?? monitorNotFound()
}

/** A monitor whose software is to be changed or looked for: 422 for kinds that have no software. */
export async function findFollowed(context: Context, path: Record<string, string>): Promise<SoftwareMonitor> {
  const monitor = await findReported(context, path)
  if (!isSupported(monitor.kind))
    throw fail('unsupported_kind', `Only ${scannedKindsText} monitors have a list of software.`)
  return monitor
}

/**
 * 402 on plans without vulnerability alerts, asked once everything else of a request was found right: what is wrong on
 * every plan is said first (docs/decisions/api-surface.md, "402 without a challenge").
 */
export function assertPlanHasAlerts({ services }: Context, monitor: SoftwareMonitor): void {
  if (!isAvailable(monitor, services))
    throw fail('plan_required', 'This needs a plan that includes vulnerability alerts.', { status: 402 })
}

/** The same with one entry of its list. */
export async function findEntry(
  context: Context,
  path: Record<string, string>,
): Promise<SoftwareMonitor & { software: Software }> {
  const monitor = await findFollowed(context, path)
  const { software_id: softwareId = '' } = path
  const software = await findSoftware(context.services.database, { monitorKey: monitor.key, softwareId })
  if (software === undefined) throw fail('not_found', 'There is no such software in the list of this monitor.')
  return { ...monitor, software }
}

/** The same with one finding. */
export async function findOneFinding(
  context: Context,
  path: Record<string, string>,
): Promise<SoftwareMonitor & { finding: FoundFinding }> {
  const monitor = await findFollowed(context, path)
  const { finding_id: findingId = '' } = path
  const finding = await findFinding(context.services.database, { monitorKey: monitor.key, findingId })
  if (finding === undefined) throw fail('not_found', 'There is no such finding of this monitor.')
  return { ...monitor, finding }
}

/** The answer of every operation on software. What a plan does not include is kept, but not shown. */
export async function reportOf({ services, now }: Context, monitor: SoftwareMonitor): Promise<Vulnerabilities> {
  const available = isAvailable(monitor, services)
  const supported = isSupported(monitor.kind)
  const isFollowed = isAlwaysFollowed(monitor.kind) || monitor.vulnerability_alerts
  return {
    available,
    supported,
    enabled: available && supported && isFollowed,
    severity: monitor.vulnerability_severity,
    ...(available && supported ? await readSoftwareReport(services.database, monitor.key, now) : nothingKnown),
  }
}

const nothingKnown: SoftwareReport = {
  scanned_at: null,
  scan_error: null,
  checked_at: null,
  pending: false,
  comparison: 'not_compared',
  compared: [],
  entries_to_compare: 0,
  software: [],
  findings: [],
}

/**
 * Repository monitors have it on every plan. A paid monitor does not unlock it, since feeds and scans serve the whole
 * workspace (docs/decisions/software-matching.md, "Who has alerts").
 */
function isAvailable({ kind, plan }: SoftwareMonitor, services: Services): boolean {
  return isAlwaysFollowed(kind) || planOf(services, plan).hasVulnerabilityAlerts
}

function isAlwaysFollowed(kind: KindName): boolean {
  return kindTraits[kind].software === 'always'
}

function isSupported(kind: KindName): boolean {
  return kindTraits[kind].software !== 'none'
}
