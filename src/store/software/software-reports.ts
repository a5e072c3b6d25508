import type { MonitorSettings } from '#core/monitors/monitor.ts'
import { comparisonOf, isAwaited, wasCompared } from '#core/software/comparison.ts'
import type { Finding, Software, Vulnerabilities } from '#core/software/vulnerability.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { entriesOf, readFeedReadings } from './comparisons.ts'
import { type FindingRow, findingColumns, findingOrder, findingSources, toFinding } from './findings.ts'

/** A monitor as far as its software goes. */
export type SoftwareMonitor = Pick<
  MonitorSettings,
  'name' | 'kind' | 'vulnerability_alerts' | 'vulnerability_severity'
> & {
  id: string
  key: string
  plan: string
}

export async function findSoftwareMonitor(
  { planned }: Pick<Database, 'planned'>,
  { workspaceId, monitorId }: { workspaceId: string; monitorId: string },
): Promise<SoftwareMonitor | undefined> {
  const { rows } = await planned.query<SoftwareMonitor>({
    name: 'find_software_monitor',
    text: `select monitor.id, key, monitor.name, kind, vulnerability_alerts, vulnerability_severity, plan
    from monitors as monitor
    join workspaces on workspaces.id = workspace_id
    where workspace_id = $1
      and monitor.id = $2`,
    values: [workspaceId, monitorId],
  })
  return rows[0]
}

export type SoftwareReport = Pick<
  Vulnerabilities,
  | 'scanned_at'
  | 'scan_error'
  | 'checked_at'
  | 'pending'
  | 'comparison'
  | 'compared'
  | 'entries_to_compare'
  | 'software'
  | 'findings'
>

/** The most findings that are shown, the most severe ones. */
const maxFindings = 5_000

/**
 * The report of a monitor's software, as it was at one moment: what a comparison that ends meanwhile finds, or what
 * comes into the list, would otherwise be in one part of the report and not in another. The list is bounded
 * (`core/software/list-size`).
 */
export function readSoftwareReport(
  { transaction }: Pick<Database, 'transaction'>,
  monitorKey: string,
  at: Date,
): Promise<SoftwareReport> {
  return transaction(async (tx) => {
    await tx.client.query('set transaction isolation level repeatable read, read only')
    return readReport(tx, monitorKey, at)
  })
}

async function readReport(tx: Transaction, monitorKey: string, at: Date): Promise<SoftwareReport> {
  const { client } = tx
  const values = [monitorKey]
  // Planned anew each time: a plan that was made while there was little software takes seconds for much.
  const state = await client.query<StateRow>({ text: stateStatement, values })
  const [row] = state.rows
  const software = await client.query<Software>({ name: 'list_software', text: softwareStatement, values })
  const findings = await client.query<FindingRow>({
    name: 'list_findings',
    text: findingsStatement,
    values: [monitorKey, maxFindings],
  })
  const products = software.rows.filter(({ ignored }) => !ignored).map(({ product }) => product)
  const list = { products, entries: row?.entries ?? 0, waiting: row?.waiting ?? 0 }
  const comparison = comparisonOf(list, await readFeedReadings(tx), at)
  return {
    scanned_at: row?.scanned_at?.toISOString() ?? null,
    scan_error: row?.scan_error ?? null,
    checked_at: wasCompared(comparison) ? (row?.matched_at?.toISOString() ?? null) : null,
    pending: row?.is_pending === true || isAwaited(comparison),
    ...comparison,
    software: software.rows,
    findings: findings.rows.map((finding): Finding => toFinding(finding)),
  }
}

/** An entry of a monitor's list. */
export async function findSoftware(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, softwareId }: { monitorKey: string; softwareId: string },
): Promise<Software | undefined> {
  const { rows } = await pool.query<Software>({
    name: 'find_software',
    text: `select ${softwareColumns} from ${softwareSources} where software.monitor_key = $1 and software.id = $2`,
    values: [monitorKey, softwareId],
  })
  return rows[0]
}

/**
 * Whether a scan was asked for, or something that a monitor has waits to be compared, also with what a feed says that is
 * being read for the first time; `monitor` is an expression.
 */
export function isPending(monitor: string): string {
  return `(
    ${isAtWork(monitor)}
    or (
      exists (select from feeds where succeeded_at is null and claimed_until > now())
      and exists (select from monitor_software where monitor_key = ${monitor})
    )
  )`
}

/** The same without what feeds say. */
function isAtWork(monitor: string): string {
  return `(
    exists (select from software_scans where monitor_key = ${monitor} and is_requested)
    or exists (
      select
      from components
      join monitor_software on component_key = key
      where matched_at is null
        and monitor_key = ${monitor}
    )
    or exists (
      select
      from match_queue
      join components using (product)
      join monitor_software on component_key = key
      where monitor_key = ${monitor}
    )
  )`
}

type StateRow = {
  scanned_at: Date | null
  scan_error: string | null
  entries: number
  waiting: number
  matched_at: Date | null
  is_pending: boolean
}

const softwareSources = `monitor_software as software
join components as component on component.key = software.component_key`

const softwareColumns = `
  software.id,
  component.product,
  software.name,
  component.version,
  software.source,
  software.evidence,
  software.ignored`

const stateStatement = `
select
  scan.scanned_at,
  scan.scan_error,
  listed.entries,
  listed.waiting,
  listed.matched_at,
  ${isAtWork('$1')} as is_pending
from ${entriesOf('$1')} as listed
left join software_scans as scan on scan.monitor_key = $1`

const softwareStatement = `
select ${softwareColumns}
from ${softwareSources}
where software.monitor_key = $1
order by lower(software.name), component.product, component.version nulls first, software.id`

const findingsStatement = `
select ${findingColumns}
from ${findingSources}
where finding.monitor_key = $1
  and not software.ignored
order by ${findingOrder}
limit $2`
