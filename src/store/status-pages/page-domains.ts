import { quarantineDays } from '#core/status-pages/page-domain.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { lockPages } from './status-pages.ts'

/** A name that a page is to have, and that its workspace has not shown to be its own yet. */
export type UnprovenDomain = { id: string; workspaceId: string; domain: string }

/** Those that were looked at longest ago, before a time; no other process looks at them again before that. */
export async function claimUnproven(
  { pool }: Pick<Database, 'pool'>,
  { at, before, limit }: { at: Date; before: Date; limit: number },
): Promise<UnprovenDomain[]> {
  const { rows } = await pool.query<UnprovenDomain>({
    name: 'claim_unproven_domains',
    text: claimStatement,
    values: [at, before, limit],
  })
  return rows
}

/** False where the page has another name by now, or the name belongs to another workspace, or did so until lately. */
export async function proveDomain(tx: Transaction, { id, domain }: UnprovenDomain, at: Date): Promise<boolean> {
  await lockPages(tx)
  const proven = await tx.client.query({
    name: 'prove_domain',
    text: proveStatement,
    values: [id, domain, at, quarantineDays],
  })
  return proven.rowCount === 1
}

/** Whether another workspace gave the name up lately. */
export async function isQuarantined(
  { client }: Transaction,
  { domain, workspaceId, at }: { domain: string; workspaceId: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'is_domain_quarantined',
    text: `select
    from status_domains_released
    where domain = $1
      and workspace_id <> $2
      and released_at > $3::timestamptz - make_interval(days => $4)`,
    values: [domain, workspaceId, at, quarantineDays],
  })
  return rowCount === 1
}

/** Forgets names whose time is over. Returns how many. */
export async function forgetReleased({ pool }: Pick<Database, 'pool'>, at: Date): Promise<number> {
  const forgotten = await pool.query({
    name: 'forget_released_domains',
    text: 'delete from status_domains_released where released_at <= $1::timestamptz - make_interval(days => $2)',
    values: [at, quarantineDays],
  })
  return forgotten.rowCount ?? 0
}

const claimStatement = `
update status_pages
set domain_checked_at = $1
where id in (
  select id
  from status_pages
  where domain is not null
    and domain_proven_at is null
    and (domain_checked_at is null or domain_checked_at < $2)
  order by domain_checked_at nulls first
  limit $3
  for update skip locked
)
returning id, workspace_id as "workspaceId", domain`

const proveStatement = `
update status_pages as page
set domain_proven_at = $3
where id = $1
  and domain = $2
  and domain_proven_at is null
  and not exists (
    select
    from status_pages as other
    where other.domain = $2
      and other.domain_proven_at is not null
  )
  and not exists (
    select
    from status_domains_released as released
    where released.domain = $2
      and released.workspace_id <> page.workspace_id
      and released.released_at > $3::timestamptz - make_interval(days => $4)
  )`
