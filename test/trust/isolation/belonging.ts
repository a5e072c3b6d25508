// To which workspace a row of any table belongs, read from the foreign keys of the database.
import type { Database } from '#store/database/database.ts'

/** Tables that hold nothing of a workspace: the installation's own, what the world publishes, and people. */
export const sharedTables: ReadonlySet<string> = new Set([
  'advisories',
  'affected_products',
  'agent_seen_assertions',
  'agent_signing_keys',
  'component_findings',
  'components',
  'confirmation_mails',
  'canary_spending',
  'day_rewrites',
  'domains',
  'engines',
  'exploited',
  'feeds',
  'gathered_months',
  'intakes',
  'locations',
  'match_queue',
  'oauth_clients',
  'oauth_device_codes',
  'operator_troubles',
  'own_troubles',
  'partitions',
  'people."twoFactor"',
  'people."user"',
  'people.account',
  'people.passkey',
  'people.session',
  'people.verification',
  'provider_subjects',
  'rate_limits',
  'receipt_series',
  'rejected_results',
  'release_cycles',
  'schema_migrations',
  'settings',
  'signed_head_countersignatures',
  'signed_heads',
  'signed_progress',
  'used_codes',
  'vulnerabilities',
])

/** Ways that no foreign key keeps. */
const otherWays: readonly Way[] = [
  { table: 'results', column: 'monitor_key', parent: 'monitors', parentColumn: 'key', isAlways: true },
  { table: 'signed_hours', column: 'monitor_key', parent: 'monitors', parentColumn: 'key', isAlways: true },
  { table: 'told_maintenance', column: 'window_id', parent: 'maintenance_windows', parentColumn: 'id', isAlways: true },
]

type Way = { table: string; column: string; parent: string; parentColumn: string; isAlways: boolean }

/**
 * A condition for each table that belongs to workspaces, with `$1` for the workspace. Throws for a table that neither
 * leads to a workspace nor is said to be shared.
 */
export async function readBelonging({ pool }: Pick<Database, 'pool'>): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await pool.query<{ name: string; has_workspace: boolean }>(tablesStatement)
  const { rows: keys } = await pool.query<Way>(waysStatement)
  const conditions = new Map([['workspaces', 'id = $1']])
  for (const { name, has_workspace: has } of tables) if (has) conditions.set(name, 'workspace_id = $1')
  // A way that every row has comes before one that may be null.
  const ways = [...otherWays, ...keys].toSorted((one, other) => Number(other.isAlways) - Number(one.isAlways))
  for (let known = 0; known < conditions.size;) {
    known = conditions.size
    for (const { table, column, parent, parentColumn } of ways) {
      const condition = conditions.get(parent)
      if (conditions.has(table) || sharedTables.has(table) || condition === undefined) continue
      conditions.set(table, `${column} in (select ${parentColumn} from ${parent} where ${condition})`)
    }
  }
  const lost = tables.map(({ name }) => name).filter((name) => !conditions.has(name) && !sharedTables.has(name))
  if (lost.length > 0) throw new Error(`Nothing says to which workspace the rows of ${lost.join(', ')} belong.`)
  return conditions
}

const tablesStatement = `
select
  c.oid::regclass::text as name,
  exists (
    select from pg_attribute where attrelid = c.oid and attname = 'workspace_id' and not attisdropped
  ) as has_workspace
from pg_class c
where c.relnamespace in ('public'::regnamespace, 'people'::regnamespace)
  and c.relkind in ('r', 'p')
  and not c.relispartition
order by 1`

const waysStatement = `
select
  conrelid::regclass::text as table,
  quote_ident(own.attname) as column,
  confrelid::regclass::text as parent,
  quote_ident(other.attname) as "parentColumn",
  own.attnotnull as "isAlways"
from pg_constraint
join pg_attribute own on own.attrelid = conrelid and own.attnum = conkey[1]
join pg_attribute other on other.attrelid = confrelid and other.attnum = confkey[1]
where contype = 'f'
  and cardinality(conkey) = 1
  and conparentid = 0
order by 1, 2`
