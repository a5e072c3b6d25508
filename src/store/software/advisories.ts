import { createHash } from 'node:crypto'
import type { Advisory, AdvisorySource, AffectedProduct } from '#core/software/advisory.ts'
import type { ProductKey } from '#core/software/software-name.ts'
import { nameVulnerabilities, type RecordNames } from '#core/software/vulnerability-name.ts'
import { type Database, type Transaction, preparedOn } from '#store/database/database.ts'
import { enqueueMatches } from './match-queue.ts'
import { type Renaming, remakeVulnerabilities } from './vulnerabilities.ts'

/**
 * Writes what changed of these advisories, all there is of each, remakes their vulnerabilities and puts down to be
 * matched what they concerned and concern. What affects nothing is kept only where it did before. Returns how many were
 * written. Readers of several feeds wait for each other here.
 */
export async function replaceAdvisories(tx: Transaction, advisories: readonly Advisory[]): Promise<number> {
  const last = [...new Map(advisories.map((advisory) => [nameOf(advisory), advisory])).values()]
  await tx.client.query(`select pg_advisory_xact_lock(hashtext('advisories'))`)
  const changed = await selectChanged(tx, last)
  if (changed.length === 0) return 0
  const { names, renamings } = await nameAll(tx, changed)
  const keys = await writeAdvisories(tx, changed, names)
  const earlier = await replaceProducts(tx, changed, keys)
  const vulnerabilities = [...new Set([...names.values(), ...renamings.flatMap(({ from, to }) => [from, to])])]
  await remakeVulnerabilities(tx, vulnerabilities, renamings)
  await enqueueMatches(tx, [...earlier, ...(await productsOf(tx, vulnerabilities))])
  return changed.length
}

/** What an advisory says about a product, for matching. */
export type KnownAffected = AffectedProduct & {
  vulnerability: string
  source: AdvisorySource
  /** When the vulnerability was published. */
  publishedAt: Date | null
  isExploited: boolean
}

/**
 * Everything known about these products, the best source of each vulnerability first. Once NVD has analysed a CVE, the
 * raw record counts no more for its CPEs.
 */
export async function readAffected(
  source: Database | Transaction,
  products: readonly ProductKey[],
): Promise<KnownAffected[]> {
  const { rows } = await preparedOn(source).query<AffectedRow>({
    name: 'read_affected',
    text: affectedStatement,
    values: [products],
  })
  return rows.flatMap(({ affected, ...row }) => affected.map((one) => ({ ...row, ...one })))
}

/** When the records that exist among these were last modified. */
export async function readModified(
  { pool }: Pick<Database, 'pool'>,
  source: AdvisorySource,
  ids: readonly string[],
): Promise<Map<string, Date | null>> {
  const { rows } = await pool.query<{ id: string; modifiedAt: Date | null }>({
    name: 'read_modified',
    text: 'select id, modified_at as "modifiedAt" from advisories where source = $1 and id = any($2::text[])',
    values: [source, ids],
  })
  return new Map(rows.map(({ id, modifiedAt }) => [id, modifiedAt]))
}

type StoredAffected = Omit<AffectedProduct, 'product'>
type AffectedRow = Omit<KnownAffected, keyof StoredAffected> & { affected: StoredAffected[] }

type Fingerprinted = Advisory & { fingerprint: Buffer; vulnerability: string | null }

function nameOf({ source, id }: Pick<Advisory, 'source' | 'id'>): string {
  return `${source} ${id}`
}

/** The advisories whose content is new or differs from the stored one. */
async function selectChanged({ client }: Transaction, advisories: readonly Advisory[]): Promise<Fingerprinted[]> {
  const { rows } = await client.query<Pick<Advisory, 'source' | 'id'> & { fingerprint: Buffer; vulnerability: string }>(
    {
      name: 'known_advisories',
      text: `select source, id, fingerprint, vulnerability
    from advisories
    where (source, id) in (select * from unnest($1::text[], $2::text[]))`,
      values: [advisories.map(({ source }) => source), advisories.map(({ id }) => id)],
    },
  )
  const known = new Map(rows.map((row) => [nameOf(row), row]))
  return advisories.flatMap((read) => {
    const advisory = read.withdrawnAt === null ? read : { ...read, affected: [] }
    const before = known.get(nameOf(advisory))
    if (before === undefined && advisory.affected.length === 0) return []
    const fingerprint = createHash('sha256').update(JSON.stringify(advisory)).digest()
    return before?.fingerprint.equals(fingerprint) === true
      ? []
      : [{ ...advisory, fingerprint, vulnerability: before?.vulnerability ?? null }]
  })
}

type Naming = { /** By source and id. */ names: Map<string, string>; renamings: Renaming[] }
type Linked = RecordNames & Pick<Advisory, 'source'> & { vulnerability: string; key: string }

/** Names the vulnerabilities of changed records, and anew those of the records that they are linked with. */
async function nameAll(tx: Transaction, changed: readonly Fingerprinted[]): Promise<Naming> {
  const isChanged = new Set(changed.map(nameOf))
  const linked = (await readLinked(tx, changed)).filter((record) => !isChanged.has(nameOf(record)))
  const named = nameVulnerabilities([...changed, ...linked])
  const names = new Map(changed.map((record, index) => [nameOf(record), named[index] ?? record.id]))
  const moved = linked.flatMap(({ key, id, vulnerability: from }, index) => {
    const to = named[changed.length + index] ?? id
    return to === from ? [] : [{ key, from, to }]
  })
  await tx.client.query({
    name: 'rename_advisories',
    text: `update advisories
    set vulnerability = moved.name
    from unnest($1::bigint[], $2::text[]) as moved (key, name)
    where advisories.key = moved.key`,
    values: [moved.map(({ key }) => key), moved.map(({ to }) => to)],
  })
  const renamed = changed.map((record) => ({ from: record.vulnerability, to: names.get(nameOf(record)) }))
  return { names, renamings: [...renamed, ...moved].flatMap(asRenaming) }
}

function asRenaming({ from, to }: { from: string | null; to: string | undefined }): Renaming[] {
  return from === null || to === undefined || from === to ? [] : [{ from, to }]
}

/** Longer chains of aliases than this come from mistakes. */
const longestChain = 6

/** All that share names with these records, and with those in turn. */
async function readLinked(tx: Transaction, changed: readonly RecordNames[]): Promise<Linked[]> {
  const linked = new Map<string, Linked>()
  const asked = new Set<string>()
  let names = namesOf(changed)
  for (let step = 0; step < longestChain && names.length > 0; step += 1) {
    for (const name of names) asked.add(name)
    const found = await readNamed(tx, names)
    for (const record of found) linked.set(record.key, record)
    names = namesOf(found).filter((name) => !asked.has(name))
  }
  return [...linked.values()]
}

function namesOf(records: readonly RecordNames[]): string[] {
  return [...new Set(records.flatMap(({ id, aliases }) => [id, ...aliases]))]
}

/** One probe of the index for each name: it takes an array of hundreds at once as many times slower. */
async function readNamed({ client }: Transaction, names: readonly string[]): Promise<Linked[]> {
  const { rows } = await client.query<Linked>({
    name: 'linked_advisories',
    text: `select key, source, id, aliases, vulnerability
    from advisories
    where source in ('osv', 'nvd', 'cve')
      and id = any($1::text[])
    union
    select key, source, id, aliases, vulnerability
    from unnest($1::text[]) as name
    join advisories on aliases @> array[name]`,
    values: [names],
  })
  return rows
}

/** Returns the keys in the order of `changed`. */
async function writeAdvisories(
  { client }: Transaction,
  changed: readonly Fingerprinted[],
  names: ReadonlyMap<string, string>,
): Promise<string[]> {
  const written = changed.map((advisory) =>
    Object.assign({}, advisory, {
      affected: undefined,
      vulnerability: names.get(nameOf(advisory)),
      fingerprint: advisory.fingerprint.toString('hex'),
    }),
  )
  const { rows } = await client.query<Pick<Advisory, 'source' | 'id'> & { key: string }>({
    name: 'write_advisories',
    text: writeStatement,
    values: [JSON.stringify(written)],
  })
  const keys = new Map(rows.map((row) => [nameOf(row), row.key]))
  return changed.map((advisory) => keys.get(nameOf(advisory)) ?? '')
}

/** Returns the products that were affected before. */
async function replaceProducts(
  { client }: Transaction,
  changed: readonly Advisory[],
  keys: readonly string[],
): Promise<ProductKey[]> {
  const { rows } = await client.query<{ product: ProductKey }>({
    name: 'remove_products',
    text: 'delete from affected_products where advisory_key = any($1::bigint[]) returning product',
    values: [keys],
  })
  const affected = changed.flatMap((advisory, index) =>
    [...Map.groupBy(advisory.affected, ({ product }) => product)].map(([product, ofProduct]) => ({
      key: keys[index],
      product,
      affected: ofProduct.map(({ affected: versions, isConditional, mayApply }) => ({
        affected: versions,
        isConditional,
        mayApply,
      })),
    })),
  )
  await client.query({
    name: 'add_products',
    text: `insert into affected_products (advisory_key, product, affected)
    select key, product, affected
    from jsonb_to_recordset($1::jsonb) as read (key bigint, product text, affected jsonb)`,
    values: [JSON.stringify(affected)],
  })
  return rows.map(({ product }) => product)
}

/** An advisory counts only together with the others of its vulnerability, so all of them are matched again. */
async function productsOf({ client }: Transaction, vulnerabilities: readonly string[]): Promise<ProductKey[]> {
  const { rows } = await client.query<{ product: ProductKey }>({
    name: 'products_of_vulnerabilities',
    text: `select distinct product
    from advisories
    join affected_products on advisory_key = key
    where vulnerability = any($1::text[])`,
    values: [vulnerabilities],
  })
  return rows.map(({ product }) => product)
}

const writeStatement = `
insert into advisories (
  source, id, aliases, vulnerability, published_at, modified_at, withdrawn_at, summary, severity, score, url, fingerprint
)
select
  source,
  id,
  array(select jsonb_array_elements_text(aliases)),
  vulnerability,
  "publishedAt",
  "modifiedAt",
  "withdrawnAt",
  summary,
  severity,
  score,
  url,
  decode(fingerprint, 'hex')
from jsonb_to_recordset($1::jsonb) as read (
  source text,
  id text,
  aliases jsonb,
  vulnerability text,
  "publishedAt" timestamptz,
  "modifiedAt" timestamptz,
  "withdrawnAt" timestamptz,
  summary text,
  severity text,
  score numeric,
  url text,
  fingerprint text
)
on conflict (source, id) do update
set aliases = excluded.aliases,
  vulnerability = excluded.vulnerability,
  published_at = excluded.published_at,
  modified_at = excluded.modified_at,
  withdrawn_at = excluded.withdrawn_at,
  summary = excluded.summary,
  severity = excluded.severity,
  score = excluded.score,
  url = excluded.url,
  fingerprint = excluded.fingerprint
returning key, source, id`

const affectedStatement = `
select
  vulnerability,
  advisory.source,
  product,
  affected,
  known.published_at as "publishedAt",
  known.exploited_on is not null as "isExploited"
from affected_products
join advisories as advisory on advisory.key = advisory_key
join vulnerabilities as known on known.id = vulnerability
where product = any($1::text[])
  and not (
    advisory.source = 'cve'
    and product like 'cpe:%'
    and exists (
      select
      from advisories as analysis
      join affected_products as analysed on analysed.advisory_key = analysis.key
      where analysis.source = 'nvd'
        and analysis.id = advisory.id
    )
  )
order by vulnerability, array_position(array['osv', 'nvd', 'cve'], advisory.source), advisory.id, product`
