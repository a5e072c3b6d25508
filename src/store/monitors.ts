import { sql } from 'kysely'
import type { CheckConfiguration } from '#core/check.ts'
import { type ChangeEffect, type MonitorRecord, type MonitorSettings, passiveKinds } from '#core/monitor.ts'
import { partitionOf } from '#core/schedule.ts'
import type { Reader, Transaction } from '#store/database.ts'
import {
  type ExpiryRow,
  type MonitorRow,
  type RecordRow,
  type StateRow,
  checkColumns,
  recordColumns,
  stateColumns,
  toCheckConfiguration,
  toColumns,
  toRecord,
  toSettings,
} from '#store/monitor-rows.ts'
import { channelIdsOf, listChannelIds } from '#store/alert-choice.ts'
import { moveDeadline, refreshVersion, restartMonitor } from '#store/monitor-state.ts'
import type { Secrets } from '#store/secrets.ts'

export type MonitorScope = { workspaceId: string; monitorId: string }

/** All of a workspace, oldest first; slots and the cap on paid monitors bound their number. */
export async function listMonitors(
  reader: Reader,
  request: { workspaceId: string; now: Date },
): Promise<MonitorRecord[]> {
  const { workspaceId, now } = request
  const [rows, channelIds] = await Promise.all([
    selectRecords(reader)
      .where('monitors.workspace_id', '=', workspaceId)
      .orderBy('monitors.created_at')
      .orderBy('monitors.id')
      .execute(),
    listChannelIds(reader, workspaceId),
  ])
  return rows.map((row) => toRecord(row, { now, channelIds }))
}

export async function findMonitor(
  reader: Reader,
  request: MonitorScope & { now: Date },
): Promise<MonitorRecord | undefined> {
  const { workspaceId, monitorId, now } = request
  const row = await selectRecords(reader)
    .select(channelIdsOf(workspaceId).as('channel_ids'))
    .where('monitors.workspace_id', '=', workspaceId)
    .where('monitors.id', '=', monitorId)
    .executeTakeFirst()
  return row === undefined ? undefined : toRecord(row, { now, channelIds: row.channel_ids })
}

export type LockedMonitor = Pick<
  MonitorRow,
  'key' | 'partition' | 'status' | 'pause_reason' | 'billing' | 'billing_period'
> & {
  settings: MonitorSettings
}

/** The monitor's settings, held until the transaction ends: a change is decided on what it replaces. */
export async function lockMonitor(
  tx: Transaction,
  secrets: Secrets,
  scope: MonitorScope,
): Promise<LockedMonitor | undefined> {
  const row = await tx.query
    .selectFrom('monitors')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', scope.monitorId)
    .$castTo<MonitorRow>()
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { key, partition, status, pause_reason, billing, billing_period } = row
  return { key, partition, status, pause_reason, billing, billing_period, settings: toSettings(row, secrets) }
}

export type NewMonitor = { id: string; workspaceId: string; settings: MonitorSettings; createdAt: Date }

/** A monitor in a plan slot, with its state; whether a slot is free is the caller's affair (`lockSlots`). */
export async function insertMonitor(tx: Transaction, secrets: Secrets, monitor: NewMonitor): Promise<void> {
  const { id, workspaceId, settings, createdAt } = monitor
  const { key, version } = await tx.query
    .insertInto('monitors')
    .values({
      id,
      workspace_id: workspaceId,
      partition: partitionOf(id),
      ...toColumns(settings, secrets),
      billing: 'plan',
      created_at: createdAt,
      updated_at: createdAt,
    })
    .returning(['key', 'version'])
    .executeTakeFirstOrThrow()
  await tx.query.insertInto('monitor_state').values({ monitor_key: key, version, round_at: createdAt }).execute()
}

export type MonitorChange = {
  monitorId: string
  before: MonitorSettings
  settings: MonitorSettings
  effect: ChangeEffect
  at: Date
}

/** Only under `lockMonitor`. */
export async function updateMonitor(tx: Transaction, secrets: Secrets, change: MonitorChange): Promise<void> {
  const { monitorId, settings, effect, at } = change
  await tx.query
    .updateTable('monitors')
    .set({ ...toColumns(settings, secrets), updated_at: at })
    .$if(effect === 'target', (query) => query.set(anotherTarget))
    .where('id', '=', monitorId)
    .execute()
  if (effect === 'settings') await refreshVersion(tx, monitorId)
  if (effect === 'settings') await moveDeadline(tx, monitorId, { from: change.before, to: settings })
  if (effect === 'target') await restartMonitor(tx, { monitorId, at, reason: 'What the monitor watches was changed.' })
}

/** Only under `lockMonitor`. */
export async function setMonitorStatus(
  tx: Transaction,
  change: { monitorId: string; status: 'enabled' | 'paused'; at: Date },
): Promise<void> {
  const { monitorId, status, at } = change
  await tx.query
    .updateTable('monitors')
    .set({ status, pause_reason: null, updated_at: at })
    .where('id', '=', monitorId)
    .execute()
  const reason = status === 'paused' ? 'The monitor was paused.' : 'The monitor was resumed.'
  await restartMonitor(tx, { monitorId, at, reason })
}

/**
 * The newest version of what a location may check, secrets in the clear; `location` null for any. At most 200 ids.
 * Those that became passive after the location was asked for a check are left out.
 */
export async function readCheckConfigurations(
  reader: Reader,
  secrets: Secrets,
  request: { location: string | null; ids: string[] },
): Promise<CheckConfiguration[]> {
  const { location, ids } = request
  if (ids.length > maxConfigurations) throw new RangeError(`At most ${maxConfigurations} configurations at a time.`)
  if (ids.length === 0) return []
  const rows = await reader.query
    .selectFrom('monitors')
    .select(checkColumns)
    .where('id', 'in', ids)
    .where('status', '=', 'enabled')
    .where('kind', 'not in', passiveKinds)
    .$if(location !== null, (query) => query.where(sql<boolean>`${location} = any(locations)`))
    .$castTo<MonitorRow>()
    .execute()
  return rows.map((row) => toCheckConfiguration(row, secrets))
}

/** Those of these ids that a group of the workspace may have. */
export async function listPossibleMembers(
  reader: Reader,
  { workspaceId, memberIds }: { workspaceId: string; memberIds: string[] },
): Promise<string[]> {
  const rows = await reader.query
    .selectFrom('monitors')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', memberIds)
    .where('kind', '<>', 'group')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a group of the workspace names this monitor. */
export async function isMember(
  reader: Reader,
  { workspaceId, monitorId }: { workspaceId: string; monitorId: string },
): Promise<boolean> {
  const found = await reader.query
    .selectFrom('monitors')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'group')
    .where(sql<boolean>`check_options -> 'member_ids' ? ${monitorId}`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

const maxConfigurations = 200

function selectRecords(reader: Reader) {
  return reader.query
    .selectFrom('monitors')
    .innerJoin('monitor_state', 'monitor_state.monitor_key', 'monitors.key')
    .leftJoin('monitor_expiries as registration', (join) =>
      join
        .onRef('registration.monitor_key', '=', 'monitors.key')
        .onRef('registration.target_version', '=', 'monitors.target_version')
        .on('registration.subject', '=', 'domain'),
    )
    .leftJoin('monitor_expiries as certificate', (join) =>
      join
        .onRef('certificate.monitor_key', '=', 'monitors.key')
        .onRef('certificate.target_version', '=', 'monitors.target_version')
        .on('certificate.subject', '=', 'certificate'),
    )
    .select(recordColumns.map((column) => `monitors.${column}` as const))
    .select(stateColumns)
    .select([
      'registration.name as domain_name',
      'registration.expires_at as domain_expires_at',
      'certificate.issuer as cert_issuer',
      'certificate.expires_at as cert_expires_at',
    ])
    .$castTo<RecordRow & StateRow & ExpiryRow>()
}

/** What was seen of the old target no longer counts, and the new one's domain has to be found out. */
const anotherTarget = { target_version: sql<number>`target_version + 1`, domain: null }
