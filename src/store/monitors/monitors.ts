import { sql } from 'kysely'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { isUuid } from '#core/language/uuid.ts'
import { passiveKinds } from '#core/monitors/kind-traits.ts'
import type { ChangeEffect, MonitorSettings, SettingField } from '#core/monitors/monitor.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { anyOf } from '#store/database/array-literal.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import type { MonitorScope } from './monitor-records.ts'
import {
  type MonitorRow,
  checkColumns,
  settingColumns,
  toCheckConfiguration,
  toColumns,
  toSettings,
} from './monitor-rows.ts'
import { reviewWithheld } from '#store/contacts/parent-holds.ts'
import { tellPolicyChange } from '#store/contacts/policy-changes.ts'
import { forgetUsual } from '#store/results/latency-hours.ts'
import { readPurchaseProblems } from '#store/money/canary-purchases.ts'
import { moveRunEnd } from './runs.ts'
import { moveDeadline, refreshVersion, restartMonitors } from './monitor-state.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { beginGaps } from './monitor-gaps.ts'
import { followSoftware } from '#store/software/software-scans.ts'

const lockedColumns = [
  'key',
  'partition',
  'status',
  'pause_reason',
  'billing',
  'billing_period',
  'paid_locations',
  'paid_until',
] as const
type LockedColumn = (typeof lockedColumns)[number]

export type LockedMonitor = Pick<MonitorRow, LockedColumn> & { settings: MonitorSettings }

/** The monitor's settings, held until the transaction ends: a change is decided on what it replaces. */
export async function lockMonitor(
  tx: Transaction,
  secrets: Secrets,
  scope: MonitorScope,
): Promise<LockedMonitor | undefined> {
  const row = await tx.query
    .selectFrom('monitors')
    .select([...settingColumns, 'id', 'content', ...lockedColumns])
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', scope.monitorId)
    .$castTo<Pick<MonitorRow, SettingField | 'id' | 'content' | LockedColumn>>()
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { key, partition, status, pause_reason, billing, billing_period, paid_locations, paid_until, ...rest } = row
  const payment = { billing, billing_period, paid_locations, paid_until }
  return { key, partition, status, pause_reason, ...payment, settings: toSettings(rest, secrets) }
}

export type NewMonitor = {
  id: string
  workspaceId: string
  settings: MonitorSettings
  createdAt: Date
  /** What was paid for all its locations; without it the monitor takes a plan slot. `until` is null for life. */
  paid?: { period: 'monthly' | 'lifetime'; until: Date | null }
}

/** A monitor with its state; whether a slot is free, or all was paid, is the caller's affair (`lockSlots`). */
export async function insertMonitor(tx: Transaction, secrets: Secrets, monitor: NewMonitor): Promise<void> {
  const { id, workspaceId, settings, createdAt, paid } = monitor
  const { key, version } = await tx.query
    .insertInto('monitors')
    .values({
      id,
      workspace_id: workspaceId,
      partition: partitionOf(id),
      ...toColumns(id, settings, secrets),
      billing: paid === undefined ? 'plan' : 'paid',
      billing_period: paid?.period ?? null,
      paid_locations: paid === undefined ? 0 : settings.locations.length,
      paid_until: paid?.until ?? null,
      created_at: createdAt,
      updated_at: createdAt,
    })
    .returning(['key', 'version'])
    .executeTakeFirstOrThrow()
  await tx.query.insertInto('monitor_state').values({ monitor_key: key, version, round_at: createdAt }).execute()
  await beginGaps(tx, [key], createdAt)
  await followSoftware(tx, id, { before: null, settings, isAnotherTarget: false })
}

export type MonitorChange = {
  monitorId: string
  before: MonitorSettings
  settings: MonitorSettings
  effect: ChangeEffect
  /** For how many locations a paid monitor is paid now, at most; they never become fewer by a change. */
  paidLocations?: number
  at: Date
}

/** Only under `lockMonitor`. */
export async function updateMonitor(tx: Transaction, secrets: Secrets, change: MonitorChange): Promise<void> {
  const { monitorId, settings, effect, at } = change
  if (isEscalatedBy(change.before) === isEscalatedBy(settings)) await writeSettings(tx, secrets, change)
  else await tellPolicyChange(tx, { monitorId }, () => writeSettings(tx, secrets, change))
  if (settings.depends_on.join() !== change.before.depends_on.join()) await reviewWithheld(tx, monitorId)
  if (effect === 'settings') await refreshVersion(tx, monitorId)
  if (effect === 'settings') await moveDeadline(tx, monitorId, { from: change.before, to: settings, at })
  if (effect === 'settings') await moveRunEnd(tx, monitorId, { from: change.before, to: settings })
  if (effect === 'target') await forgetUsual(tx, monitorId)
  if (effect === 'target')
    await restartMonitors(tx, { monitorIds: [monitorId], at, reason: 'What the monitor watches was changed.' })
  await followSoftware(tx, monitorId, { before: change.before, settings, isAnotherTarget: effect === 'target' })
}

/** What decides which escalation policy the monitor has. */
function isEscalatedBy({ escalation_policy_id: policyId, tags }: MonitorSettings): string {
  return [policyId ?? '', ...tags].join('\n')
}

async function writeSettings({ query }: Transaction, secrets: Secrets, change: MonitorChange): Promise<void> {
  const { monitorId, settings, effect, paidLocations, at } = change
  await query
    .updateTable('monitors')
    .set({ ...toColumns(monitorId, settings, secrets), updated_at: at })
    .$if(effect === 'target', (update) => update.set(anotherTarget))
    .$if(paidLocations !== undefined, (update) =>
      update.set({ paid_locations: sql`greatest(paid_locations, ${paidLocations})` }),
    )
    .where('id', '=', monitorId)
    .execute()
}

export type StatusChange = {
  monitorIds: readonly string[]
  status: 'enabled' | 'paused'
  /** Default null: people paused them. */
  pauseReason?: string
  at: Date
}

/** Only under `lockMonitor` of one, or `holdMonitors` of several. */
export async function setMonitorStatuses(tx: Transaction, change: StatusChange): Promise<void> {
  const { monitorIds, status, pauseReason = null, at } = change
  await tx.query
    .updateTable('monitors')
    .set({ status, pause_reason: pauseReason, updated_at: at })
    .where('id', '=', anyOf(monitorIds))
    .execute()
  const reason = status === 'paused' ? 'The monitor was paused.' : 'The monitor was resumed.'
  await restartMonitors(tx, { monitorIds, at, reason })
}

/**
 * The newest version of what a location may check, secrets in the clear; `location` null for any. At most 200 ids.
 * Monitors that became passive after the location was asked for a check are left out.
 */
export async function readCheckConfigurations(
  reader: Reader,
  secrets: Secrets,
  request: { location: string | null; ids: string[] },
): Promise<CheckConfiguration[]> {
  const { location } = request
  if (request.ids.length > maxConfigurations)
    throw new RangeError(`At most ${maxConfigurations} configurations at a time.`)
  // Locations may ask for anything.
  const ids = request.ids.filter(isUuid)
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
  return withPurchases(
    reader,
    rows.map((row) => toCheckConfiguration(row, secrets)),
  )
}

/** What was wrong with a purchase is told by the checks that come after it. */
async function withPurchases(reader: Reader, configurations: CheckConfiguration[]): Promise<CheckConfiguration[]> {
  const buying = configurations.filter(({ kind, options }) => kind === 'paid_endpoint' && options['buys'] === true)
  const problems = await readPurchaseProblems(
    reader,
    buying.map(({ monitorId }) => monitorId),
  )
  return configurations.map((configuration) => {
    const purchaseProblem = problems.get(configuration.monitorId)
    return purchaseProblem === undefined ? configuration : Object.assign(configuration, { purchaseProblem })
  })
}

/** The ids among these that a group of the workspace may have. */
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

/** What was seen of the old target no longer counts, and the new one's domain has to be found out. */
const anotherTarget = { target_version: sql<number>`target_version + 1`, domain: null }
