import { pricing } from '#core/money/pricing.ts'
import { settingsBytesBeside, settingsBytesEach } from '#core/monitors/settings-size.ts'
import { maxSchedules } from '#core/contacts/on-call-schedule.ts'
import { maxSlos } from '#core/objectives/slo.ts'
import { maxReports } from '#core/reports/report.ts'
import { maxWindows } from '#core/maintenance.ts'
import { statusLimits } from '#core/status-pages/status-page.ts'
import { maxPolicies } from '#core/contacts/escalation.ts'
import { fail } from '#core/language/error.ts'
import { contactLimit } from '#core/contacts/contact-record.ts'
import { addCredit, readCredit } from '#store/money/credit.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { holdPartitionsOf } from '#store/monitors/monitor-removal.ts'
import { endPrivateTargetsOf } from '#store/monitors/private-targets.ts'
import { bytesBeyondBasis, isBeyondBasis } from '#store/monitors/settings-room.ts'
import { maxActiveTokens } from './tokens.ts'

/** Both are workspaces; `at` is when the first one is closed. */
export type Move = { fromId: string; toId: string; at: Date }

/**
 * Holds two workspaces, so that nothing is added to either until the transaction ends. False when one of them is
 * closed or gone. Taken before everything else that is locked.
 */
export async function lockForMove({ client }: Transaction, { fromId, toId }: Move): Promise<boolean> {
  const held = await client.query(
    `select id
    from workspaces
    where id = any($1::uuid[])
      and closed_at is null
    order by id
    for no key update`,
    [[fromId, toId]],
  )
  return held.rows.length === 2
}

/**
 * Moves all that a workspace has to another, and closes it, only under `lockForMove`. Checks go on meanwhile: engines
 * know no workspaces; the move waits for engines that are about to open an incident. Monitors keep how they are paid:
 * more monitors may be in slots than the plan has, and then the next one waits for a free slot. Credit arrives as one row
 * that names where it comes from; the rows before it stay with the closed workspace, whose balance is 0 then
 * (docs/decisions/agents-and-claims.md, "What a claim moves"). Refuses with `limit_reached`.
 */
export async function moveWorkspace(tx: Transaction, move: Move): Promise<void> {
  const { fromId, toId, at } = move
  await assertRoom(tx, move)
  await holdEverything(tx, fromId)
  await endPrivateTargetsOf(tx, fromId)
  for (const statement of moveStatements) await tx.client.query(statement, [fromId, toId])
  await moveCredit(tx, move)
  await tx.client.query(`update workspaces set closed_at = $2, closed_reason = 'claimed' where id = $1`, [fromId, at])
}

/**
 * Whether a workspace was made by paying or by an agent, and no person has it yet, whatever a key of it may open. The
 * workspaces of the installation and of operators are on other plans.
 */
export async function isTakenByNobody({ client }: Transaction, workspaceId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select
    from workspaces
    where id = $1
      and plan = 'pay_as_you_go'
      and not exists (select from members where workspace_id = $1)
      and not exists (select from set_up_links where workspace_id = $1)
      and not exists (select from settings where name = 'owner_workspace' and value = to_jsonb($1::text))`,
    [workspaceId],
  )
  return rowCount === 1
}

/** Whether nobody answers for what a workspace does: no person has it, and it never paid with real money. */
export async function isOfStranger(tx: Transaction, workspaceId: string): Promise<boolean> {
  if (!(await isTakenByNobody(tx, workspaceId))) return false
  const paid = await tx.client.query('select from payments where workspace_id = $1 and livemode limit 1', [workspaceId])
  return paid.rowCount === 0
}

/** What a person is shown before they take a workspace over. */
export type WorkspaceContents = {
  name: string
  monitors: number
  incidents: number
  tokens: number
  contacts: string[]
  creditCents: number
}

const maxContactsShown = 20

export async function readContents({ pool }: Pick<Database, 'pool'>, workspaceId: string): Promise<WorkspaceContents> {
  const found = await pool.query<WorkspaceContents>(contentsStatement, [workspaceId, maxContactsShown])
  const [contents] = found.rows
  if (contents === undefined) throw new Error(`There is no workspace ${workspaceId}.`)
  return contents
}

async function moveCredit(tx: Transaction, { fromId, toId, at }: Move): Promise<void> {
  const amountCents = await readCredit(tx, fromId)
  if (amountCents === 0) return
  const { rows } = await tx.client.query<{ id: string; name: string }>(
    'select id, name from workspaces where id = any($1::uuid[])',
    [[fromId, toId]],
  )
  const nameOf = (id: string): string => rows.find((row) => row.id === id)?.name ?? id
  const reason = 'payment'
  const left = `Moved to the workspace "${nameOf(toId)}", which claimed this one`
  await addCredit(tx, { workspaceId: fromId, amountCents: -amountCents, reason, description: left, at })
  const arrived = `Credit of the claimed workspace "${nameOf(fromId)}" (${fromId})`
  await addCredit(tx, { workspaceId: toId, amountCents, reason, description: arrived, at })
}

/** A move never takes a workspace beyond what it may have. */
async function assertRoom({ client }: Transaction, { fromId, toId, at }: Move): Promise<void> {
  const counted = await client.query<
    Record<
      | 'contacts'
      | 'schedules'
      | 'policies'
      | 'pages'
      | 'windows'
      | 'reports'
      | 'objectives'
      | 'tokens'
      | 'paid'
      | 'bytes',
      number
    >
  >(roomStatement, [[fromId, toId], at])
  const {
    contacts = 0,
    schedules = 0,
    policies = 0,
    pages = 0,
    windows = 0,
    reports = 0,
    objectives = 0,
    tokens = 0,
    paid = 0,
    bytes = 0,
  } = counted.rows[0] ?? {}
  const beyond = [
    { count: contacts, limit: contactLimit, what: 'contacts' },
    { count: schedules, limit: maxSchedules, what: 'on-call schedules' },
    { count: policies, limit: maxPolicies, what: 'escalation policies' },
    { count: pages, limit: statusLimits.pages, what: 'status pages' },
    { count: windows, limit: maxWindows, what: 'maintenance windows' },
    { count: reports, limit: maxReports, what: 'reports' },
    { count: objectives, limit: maxSlos, what: 'objectives' },
    { count: tokens, limit: maxActiveTokens, what: 'active API tokens' },
    { count: paid, limit: pricing.maxPaidMonitors, what: 'paid monitors' },
    {
      count: bytes,
      limit: settingsBytesBeside,
      what: `bytes of monitors' settings beyond ${settingsBytesEach} of each`,
    },
  ].find(({ count, limit }) => count > limit)
  if (beyond === undefined) return
  const { count, limit, what } = beyond
  throw fail(
    'limit_reached',
    `Together there would be ${count} ${what}, but a workspace can have at most ${limit}. Remove some first.`,
  )
}

/**
 * In the order of every transaction that locks several of these: partitions (as engines do), contacts, monitors.
 * Monitors are locked against key share, which jobs hold that are about to alert about them.
 */
async function holdEverything(tx: Transaction, workspaceId: string): Promise<void> {
  const { client } = tx
  await holdPartitionsOf(tx, workspaceId)
  await client.query('select id from alert_channels where workspace_id = $1 order by id for no key update', [
    workspaceId,
  ])
  await client.query('select id from monitors where workspace_id = $1 order by id for update', [workspaceId])
}

/** Every table that names a workspace, but those of people and agents, and the ledger. A test compares them with the schema. */
export const movedTables = [
  'alert_channels',
  'on_call_schedules',
  'escalation_policies',
  'monitors',
  'status_pages',
  'status_posts',
  'status_domains_released',
  'maintenance_windows',
  'reports',
  'slos',
  'incidents',
  'incident_evidence',
  'location_views',
  'monitor_routes',
  'exposures',
  'deliveries',
  'api_tokens',
  'audit_entries',
  'idempotency_keys',
  'project_objects',
  'imports',
  'payments',
  'payment_attempts',
] as const

const moveStatements = [
  // The default policy goes on for the monitors that it was meant for, and for no others.
  `update monitors
  set escalation_policy_id = policy.id
  from escalation_policies as policy
  where monitors.workspace_id = $1
    and monitors.escalation_policy_id is null
    and policy.workspace_id = $1
    and policy.is_default
    and $2::uuid is not null`,
  'update escalation_policies set is_default = false where workspace_id = $1 and $2::uuid is not null',
  ...movedTables
    .filter((table) => table !== 'idempotency_keys' && table !== 'project_objects')
    .map((table) => `update ${table} set workspace_id = $2 where workspace_id = $1`),
  // A key that both have used goes on answering with what the other workspace made of it.
  `insert into idempotency_keys (workspace_id, key, fingerprint, monitor_id, last_state, last_content, created_at)
  select $2, key, fingerprint, monitor_id, last_state, last_content, created_at
  from idempotency_keys
  where workspace_id = $1
  on conflict do nothing`,
  'delete from idempotency_keys where workspace_id = $1 and $2::uuid is not null',
  // Whoever has the address of a screen would be shown the monitors of the other workspace as well.
  'delete from screens where workspace_id = $1 and $2::uuid is not null',
  // Keys of two projects of one name would mean two objects; the objects of the one that arrives are adopted anew then.
  `update project_objects as moved
  set workspace_id = $2
  where workspace_id = $1
    and not exists (
      select
      from project_objects as held
      where held.workspace_id = $2
        and held.project = moved.project
    )`,
  'delete from project_objects where workspace_id = $1 and $2::uuid is not null',
]

const roomStatement = `
select
  (select count(*)::integer from alert_channels where workspace_id = any($1::uuid[])) as contacts,
  (select count(*)::integer from on_call_schedules where workspace_id = any($1::uuid[])) as schedules,
  (select count(*)::integer from escalation_policies where workspace_id = any($1::uuid[])) as policies,
  (select count(*)::integer from status_pages where workspace_id = any($1::uuid[])) as pages,
  (select count(*)::integer from maintenance_windows where workspace_id = any($1::uuid[])) as windows,
  (select count(*)::integer from reports where workspace_id = any($1::uuid[])) as reports,
  (select count(*)::integer from slos where workspace_id = any($1::uuid[])) as objectives,
  (
    select count(*)::integer
    from api_tokens
    where workspace_id = any($1::uuid[])
      and revoked_at is null
      and (expires_at is null or expires_at > $2)
  ) as tokens,
  (select count(*)::integer from monitors where workspace_id = any($1::uuid[]) and billing = 'paid') as paid,
  (select ${bytesBeyondBasis} from monitors m where m.workspace_id = any($1::uuid[]) and ${isBeyondBasis}) as bytes`

const contentsStatement = `
select
  name,
  (select count(*)::integer from monitors where workspace_id = $1) as monitors,
  (select count(*)::integer from incidents where workspace_id = $1) as incidents,
  (select count(*)::integer from api_tokens where workspace_id = $1 and revoked_at is null) as tokens,
  array(
    select destination
    from alert_channels
    where workspace_id = $1
    order by created_at, id
    limit $2
  ) as contacts,
  credit_cents::float8 as "creditCents"
from workspaces
where id = $1`
