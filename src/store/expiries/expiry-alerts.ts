import type { ExpirySubject } from '#core/expiry.ts'
import { type KindName, expiryAlertKinds } from '#core/monitors/kind-traits.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { Database, Transaction } from '#store/database/database.ts'

/** An end of a monitor with an occasion that has come, held until the transaction ends. */
export type DueExpiry = {
  monitorKey: string
  subject: ExpirySubject
  name: string
  issuer: string | null
  notBefore: Date | null
  expiresAt: Date
  seenAt: Date
  /**
   * Whether an alert is wanted: the monitor runs, has expiry alerts, and still has the target that showed this expiry.
   */
  isWanted: boolean
  workspaceId: string
  monitor: { id: string; name: string; kind: KindName; url: string | null; status: CurrentStatus }
}

/**
 * The oldest occasions that have come, without occasions that another process holds or whose monitor is being deleted.
 * A certificate counts while checks see it, so one that was not seen for three days waits. A domain waits for the
 * look-up that was planned for this moment, a day at most where its registry does not answer.
 */
export async function holdDueExpiries({ client }: Transaction, now: Date, limit: number): Promise<DueExpiry[]> {
  const values = [now, limit, expiryAlertKinds]
  const found = await client.query<DueRow>({ name: 'hold_due_expiries', text: dueStatement, values })
  return found.rows.map((row) => ({
    monitorKey: row.monitor_key,
    subject: row.subject,
    name: row.name,
    issuer: row.issuer,
    notBefore: row.not_before,
    expiresAt: row.expires_at,
    seenAt: row.seen_at,
    isWanted: row.is_wanted,
    workspaceId: row.workspace_id,
    monitor: {
      id: row.monitor_id,
      name: row.monitor_name,
      kind: row.kind,
      url: row.url,
      status: row.current_status,
    },
  }))
}

/** Puts down the occasions that are next; null where none is ahead. Only under `holdDueExpiries`. */
export async function putOffExpiries(
  { client }: Transaction,
  next: readonly { expiry: DueExpiry; alertAt: Date | null }[],
): Promise<void> {
  await client.query({
    name: 'put_off_expiries',
    text: `update monitor_expiries as known
    set alert_at = next.alert_at
    from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as next (monitor_key, subject, alert_at)
    where known.monitor_key = next.monitor_key
      and known.subject = next.subject`,
    values: [
      next.map(({ expiry }) => expiry.monitorKey),
      next.map(({ expiry }) => expiry.subject),
      next.map(({ alertAt }) => alertAt),
    ],
  })
}

export type Occasion = { expiry: DueExpiry; occasionAt: Date }

/** Marks occasions as told and returns the ones that were not marked before: only these are to be told. */
export async function markTold<T extends Occasion>({ client }: Transaction, occasions: readonly T[]): Promise<T[]> {
  if (occasions.length === 0) return []
  const marked = await client.query<{ place: number }>({
    name: 'mark_told_expiries',
    text: markStatement,
    values: [
      occasions.map(({ expiry }) => expiry.monitorKey),
      occasions.map(({ expiry }) => expiry.subject),
      occasions.map(({ expiry }) => expiry.expiresAt),
      occasions.map(({ occasionAt }) => occasionAt),
    ],
  })
  const places = new Set(marked.rows.map(({ place }) => place))
  return occasions.filter((_, index) => places.has(index + 1))
}

/** Forgets what was told of ends that are long past; at most 10,000 a call. Returns how many. */
export async function forgetTold({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const forgotten = await pool.query({ name: 'forget_told_expiries', text: forgetStatement, values: [now] })
  return forgotten.rowCount ?? 0
}

type DueRow = {
  monitor_key: string
  subject: ExpirySubject
  name: string
  issuer: string | null
  not_before: Date | null
  expires_at: Date
  seen_at: Date
  is_wanted: boolean
  workspace_id: string
  monitor_id: string
  monitor_name: string
  kind: KindName
  url: string | null
  current_status: CurrentStatus
}

const dueStatement = `
select
  known.monitor_key, known.subject, known.name, known.issuer, known.not_before, known.expires_at, known.seen_at,
  wanted.is_wanted,
  monitor.workspace_id, monitor.id as monitor_id, monitor.name as monitor_name, monitor.kind, monitor.url,
  state.current_status
from monitor_expiries as known
join monitors as monitor on monitor.key = known.monitor_key
join monitor_state as state on state.monitor_key = known.monitor_key
cross join lateral (
  select monitor.target_version = known.target_version
    and monitor.status = 'enabled'
    and monitor.expiry_alerts
    and monitor.kind = any($3) as is_wanted
) as wanted
where known.alert_at <= $1
  and known.expires_at is not null
  and (
    not wanted.is_wanted
    or case known.subject
      when 'certificate' then known.seen_at > $1::timestamptz - interval '3 days' or known.expires_at <= $1
      else known.seen_at >= known.alert_at or known.alert_at <= $1::timestamptz - interval '1 day'
    end
  )
order by known.alert_at
limit $2
for update of known skip locked
for key share of monitor skip locked`

const markStatement = `
with occasions as (
  select *
  from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::timestamptz[])
    with ordinality as occasion (monitor_key, subject, expires_at, occasion_at, place)
), marked as (
  insert into told_expiries (monitor_key, subject, expires_at, occasion_at)
  select monitor_key, subject, expires_at, occasion_at
  from occasions
  on conflict do nothing
  returning monitor_key, subject
)
select place::integer
from occasions
join marked using (monitor_key, subject)`

const forgetStatement = `
delete from told_expiries
where (monitor_key, subject, expires_at, occasion_at) in (
  select monitor_key, subject, expires_at, occasion_at
  from told_expiries
  where expires_at < $1::timestamptz - interval '30 days'
  limit 10000
)`
