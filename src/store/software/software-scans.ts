import { kindTraits } from '#core/monitors/kind-traits.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { MonitorSettings } from '#core/monitors/monitor.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { onNoted } from './findings.ts'

type Followed = Pick<MonitorSettings, 'kind' | 'vulnerability_alerts' | 'vulnerability_severity'>

/**
 * The effect of a new or changed monitor on its software: a monitor that begins to be followed, or is followed to
 * another target, is scanned at once, and findings that alert by the new settings alert. `before` is null for a new
 * monitor.
 */
export async function followSoftware(
  tx: Transaction,
  monitorId: string,
  { before, settings, isAnotherTarget }: { before: Followed | null; settings: Followed; isAnotherTarget: boolean },
): Promise<void> {
  if (!isFollowed(settings)) return
  const isNew = before === null || !isFollowed(before) || isAnotherTarget
  if (isNew) await tx.client.query({ name: 'scan_anew', text: scanAnewStatement, values: [monitorId] })
  if (before === null || (!isNew && before.vulnerability_severity === settings.vulnerability_severity)) return
  await tx.client.query({
    name: 'note_findings_of',
    text: `insert into finding_alerts (monitor_key)
    select key from monitors where id = $1
    ${onNoted}`,
    values: [monitorId],
  })
}

/** Asks for a scan now; one that runs answers it. */
export async function requestScan({ client }: Transaction, monitorKey: string): Promise<void> {
  await client.query({
    name: 'request_scan',
    text: `insert into software_scans as scan (monitor_key, due_at, is_requested)
    values ($1, now(), true)
    on conflict (monitor_key) do update
    set due_at = least(scan.due_at, now()), is_requested = true`,
    values: [monitorKey],
  })
}

/** A scan that one process makes until then; `claimedUntil` is its right to. */
export type ClaimedScan = {
  monitorKey: string
  configuration: CheckConfiguration
  /** The revision that the last scan read. */
  revision: string | null
  claimedUntil: Date
}

export type ScanEnd = {
  at: Date
  /** Null where nothing is missing. */
  error: string | null
  revision: string | null
  dueAt: Date
}

/** Ends a scan with its outcome. False where the monitor has another target by now. */
export async function endScan(
  { client }: Transaction,
  { monitorKey, claimedUntil }: ClaimedScan,
  { at, error, revision, dueAt }: ScanEnd,
): Promise<boolean> {
  const ended = await client.query({
    name: 'end_scan',
    text: `update software_scans
    set scanned_at = $3, scan_error = $4, due_at = $5, revision = $6, is_requested = false, claimed_until = '-infinity'
    where monitor_key = $1
      and claimed_until = $2`,
    values: [monitorKey, claimedUntil, at, error, dueAt, revision],
  })
  return ended.rowCount === 1
}

/** Has the next scan read everything, because what it keeps of it depends on what was changed by hand. */
export async function forgetRevision({ client }: Transaction, monitorKey: string): Promise<void> {
  await client.query({
    name: 'forget_revision',
    text: 'update software_scans set revision = null where monitor_key = $1 and revision is not null',
    values: [monitorKey],
  })
}

/** Leaves a scan to the next process. */
export async function releaseScan(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, claimedUntil }: ClaimedScan,
): Promise<void> {
  await pool.query({
    name: 'release_scan',
    text: `update software_scans set claimed_until = '-infinity' where monitor_key = $1 and claimed_until = $2`,
    values: [monitorKey, claimedUntil],
  })
}

function isFollowed({ kind, vulnerability_alerts: hasAlerts }: Followed): boolean {
  const { software } = kindTraits[kind]
  return software === 'always' || (software === 'chosen' && hasAlerts)
}

// Whatever is under way concerns what the monitor was before.
const scanAnewStatement = `
insert into software_scans as scan (monitor_key, due_at, is_requested)
select key, now(), true
from monitors
where id = $1
on conflict (monitor_key) do update
set due_at = now(), is_requested = true, claimed_until = '-infinity'`
