import { expiryAlertKinds } from '#core/monitors/kind-traits.ts'
import type { Database, Transaction } from '#store/database/database.ts'

/** A monitor whose registrable domain is not known yet. */
export type UnnamedMonitor = { key: string; targetVersion: number; url: string }

/** Monitors that get expiry alerts and whose domain is to be found out; at most `limit`. */
export async function listUnnamed({ pool }: Pick<Database, 'pool'>, limit: number): Promise<UnnamedMonitor[]> {
  // Without a name, so that it is planned for the kinds it is given: only then its partial index can serve it.
  const found = await pool.query<{ key: string; target_version: number; url: string }>({
    text: `select key, target_version, coalesce(url, '') as url
    from monitors
    where domain is null
      and kind = any($2)
      and status = 'enabled'
      and expiry_alerts
    order by key
    limit $1`,
    values: [limit, expiryAlertKinds],
  })
  return found.rows.map(({ key, target_version: targetVersion, url }) => ({ key, targetVersion, url }))
}

export type NamedMonitor = { key: string; targetVersion: number; /** '' where there is none. */ domain: string }

/**
 * Notes the domains of monitors whose target is still the same, and puts new domains down to be looked up at once.
 * Monitors that are being changed are left for the next time, so that nothing here waits for them. Returns how many
 * were named.
 */
export async function nameDomains(tx: Transaction, named: readonly NamedMonitor[], now: Date): Promise<number> {
  const written = await tx.client.query<{ domain: string }>({
    name: 'name_domains',
    text: nameStatement,
    values: [
      named.map(({ key }) => key),
      named.map(({ targetVersion }) => targetVersion),
      named.map(({ domain }) => domain),
    ],
  })
  const domains = [...new Set(written.rows.map(({ domain }) => domain))].filter((domain) => domain !== '').toSorted()
  // An existing row is locked, so that no job forgets it while its new monitor is not committed.
  await tx.client.query({
    name: 'add_domains',
    text: `insert into domains as known (name, due_at)
    select name, $2
    from unnest($1::text[]) as name
    on conflict (name) do update
    set due_at = known.due_at`,
    values: [domains, now],
  })
  for (const reading of await readKnown(tx, domains)) await spreadReading(tx, reading)
  return written.rows.length
}

export type ClaimedDomain = { name: string; /** Look-ups that failed in a row. */ failures: number }

/**
 * Domains whose look-up is due, each given to one caller alone until `claimedUntil`. Domains that no monitor wants
 * looked up are put off, those of no monitor at all are forgotten.
 */
export async function claimDomains(
  database: Pick<Database, 'transaction'>,
  claim: { now: Date; claimedUntil: Date; notWantedUntil: Date; limit: number },
): Promise<ClaimedDomain[]> {
  const { now, claimedUntil, notWantedUntil, limit } = claim
  return database.transaction(async ({ client }) => {
    const due = await client.query<{ name: string }>({
      name: 'hold_due_domains',
      text: 'select name from domains where due_at <= $1 order by due_at limit $2 for update skip locked',
      values: [now, limit],
    })
    if (due.rows.length === 0) return []
    // A statement of its own: under the locks it sees the monitors as they are now.
    const claimed = await client.query<ClaimedDomain>({
      name: 'claim_domains',
      text: claimStatement,
      values: [due.rows.map(({ name }) => name), claimedUntil, notWantedUntil, expiryAlertKinds],
    })
    return claimed.rows
  })
}

/** The answer of a registry. Times are as they were read; `alertAt` is the first occasion before this end. */
export type DomainReading = { name: string; expiresAt: Date | null; readAt: Date; alertAt: Date | null }

/** Keeps what was read, for all monitors of the domain. */
export async function endLookUp(tx: Transaction, reading: DomainReading, dueAt: Date): Promise<void> {
  const { name, expiresAt, readAt, alertAt } = reading
  await tx.client.query({
    name: 'end_look_up',
    text: `update domains
    set expires_at = $2, alert_at = $3, read_at = $4, failures = 0, due_at = $5
    where name = $1`,
    values: [name, expiresAt, alertAt, readAt, dueAt],
  })
  await spreadReading(tx, reading)
}

export async function failLookUp(
  { pool }: Pick<Database, 'pool'>,
  { name, failures, dueAt }: ClaimedDomain & { dueAt: Date },
): Promise<void> {
  await pool.query({
    name: 'fail_look_up',
    text: 'update domains set failures = $2, due_at = $3 where name = $1',
    values: [name, failures, dueAt],
  })
}

async function readKnown({ client }: Transaction, names: readonly string[]): Promise<DomainReading[]> {
  const known = await client.query<DomainReading>({
    name: 'read_known_domains',
    text: `select name, expires_at as "expiresAt", alert_at as "alertAt", read_at as "readAt"
    from domains
    where name = any($1::text[])
      and read_at is not null`,
    values: [names],
  })
  return known.rows
}

async function spreadReading({ client }: Transaction, reading: DomainReading): Promise<void> {
  const { name, expiresAt, alertAt, readAt } = reading
  const values = [name, expiresAt, alertAt, readAt, expiryAlertKinds]
  await client.query({ name: 'spread_reading', text: spreadStatement, values })
}

const nameStatement = `
with free as (
  select monitor.key, named.domain
  from unnest($1::bigint[], $2::integer[], $3::text[]) as named (key, target_version, domain)
  join monitors as monitor
    on monitor.key = named.key
    and monitor.target_version = named.target_version
    and monitor.domain is null
  for no key update of monitor skip locked
)
update monitors as monitor
set domain = free.domain
from free
where monitor.key = free.key
returning monitor.domain`

const claimStatement = `
with due as (
  select
    due.name,
    exists (select from monitors where domain = due.name) as is_named,
    exists (
      select
      from monitors
      where domain = due.name
        and kind = any($4)
        and status = 'enabled'
        and expiry_alerts
    ) as is_wanted
  from unnest($1::text[]) as due (name)
), forgotten as (
  delete from domains
  using due
  where domains.name = due.name
    and not due.is_named
), kept as (
  update domains
  set due_at = case when due.is_wanted then $2::timestamptz else $3::timestamptz end
  from due
  where domains.name = due.name
    and due.is_named
  returning domains.name, domains.failures, due.is_wanted
)
select name, failures
from kept
where is_wanted`

// Ends less than two days apart are one registration: registries tell them with and without the time of day.
const spreadStatement = `
insert into monitor_expiries as known (monitor_key, subject, target_version, name, expires_at, alert_at, seen_at)
select key, 'domain', target_version, domain, $2, $3, $4
from monitors
where domain = $1
  and kind = any($5)
order by key
on conflict (monitor_key, subject) do update
set target_version = excluded.target_version,
  name = excluded.name,
  issuer = null,
  not_before = null,
  expires_at = excluded.expires_at,
  seen_at = excluded.seen_at,
  alert_at = case
    when known.target_version = excluded.target_version
      and known.expires_at between excluded.expires_at - interval '2 days' and excluded.expires_at + interval '2 days'
    then known.alert_at + (excluded.expires_at - known.expires_at)
    else excluded.alert_at
  end
where known.target_version < excluded.target_version
  or (known.target_version = excluded.target_version and known.seen_at < excluded.seen_at)`
