// The data of `vulnerabilities`: made up, but as many and as alike as in a large installation.
import { replaceAdvisories } from '#store/software/advisories.ts'
import type { Database } from '#store/database/database.ts'
import type { KnownAffected } from '../src/advisories/match.ts'
import { addMonitors, type Seed } from './support/installation.ts'

export const products = 1_700
const rangesEach = 18
export const ranges = products * rangesEach
export const components = 200_000
export const monitors = 100_000
export const entriesEach = 10
/** The length of a lockfile, in characters. */
export const contentLength = 5_000_000
const productsAtOnce = 100
const entryLength = 330

/** All that is known of a product. */
export function knownOf(product: number): KnownAffected[] {
  return Array.from({ length: rangesEach }, (_, range) => ({
    vulnerability: idOf(product, range),
    source: 'osv',
    affected: affectedOf(product, range),
    isConditional: false,
    mayApply: false,
    publishedAt: new Date(),
    isExploited: false,
  }))
}

export function versionOf(component: number): string {
  return `${component % 20}.${Math.trunc(component / 20) % 50}.${(component * 7) % 100}`
}

/** Monitors with ten entries each of the components that there are, and what is known of them. */
export async function seed(seeded: Seed): Promise<void> {
  const { database } = seeded
  await addMonitors(seeded, monitors, (index) => ({
    name: `Monitor ${index}`,
    url: 'http://127.0.0.1:9/',
    interval_seconds: 86_400,
    failure_threshold: 10,
    vulnerability_alerts: true,
    vulnerability_severity: 'critical',
  }))
  await database.pool.query(
    `insert into components (product, version)
    select 'npm:bench-' || n % $2, n % 20 || '.' || n / 20 % 50 || '.' || n * 7 % 100 || '+' || n
    from generate_series(0, $1 - 1) as n`,
    [components, products],
  )
  await addEntries(database)
  for (let from = 0; from < products; from += productsAtOnce)
    await publish(
      database,
      Array.from({ length: Math.min(productsAtOnce, products - from) * rangesEach }, (_, index) => {
        const product = from + Math.floor(index / rangesEach)
        const range = index % rangesEach
        return { id: idOf(product, range), product, range, severity: 'high' }
      }),
    )
  await database.pool.query('vacuum analyze')
}

export type Published = { id: string; product: number; range: number | null; severity: 'high' | 'critical' }

/** `range` null for all versions. */
export async function publish(database: Database, published: readonly Published[]): Promise<void> {
  const all = {
    ranges: [{ introduced: null, isIntroducedIncluded: true, fixed: null, lastAffected: null }],
    versions: [],
  }
  await database.transaction((tx) =>
    replaceAdvisories(
      tx,
      published.map(({ id, product, range, severity }) => ({
        source: 'osv' as const,
        id,
        aliases: [],
        publishedAt: new Date(),
        modifiedAt: null,
        withdrawnAt: null,
        summary: 'A request can end the process.',
        severity,
        score: 9,
        url: null,
        affected: [
          {
            product: `npm:bench-${product}`,
            affected: range === null ? all : affectedOf(product, range),
            isConditional: false,
            mayApply: false,
          },
        ],
      })),
    ),
  )
}

const rareMonitors = 10

/** A product that ten of the monitors have, compared already. Others have those of another `index`. */
export async function addRare(database: Database, index: number): Promise<{ product: number; number: number }> {
  const product = products + index
  await database.pool.query(
    `with made as (
      insert into components (product, version, matched_at)
      values ('npm:bench-' || $1::integer, '1.0.0', now())
      returning key
    )
    insert into monitor_software (id, monitor_key, component_key, name, source, added_at)
    select gen_random_uuid(), monitor.key, made.key, 'rare', 'manual', now()
    from made
    cross join (select key from monitors order by key offset $2 limit $3) as monitor`,
    [product, index * rareMonitors, rareMonitors],
  )
  return { product, number: rareMonitors }
}

export function packagesOf(length: number): number {
  return Math.floor(length / entryLength) - 10
}

/**
 * In the form in which npm writes it, indented, with integrity and dependencies. Lockfiles of two runs have no package
 * in common.
 */
export function lockfile(run: number): string {
  const entries = Array.from({ length: packagesOf(contentLength) }, (_, index) => {
    const name = `import-${run}-package-${index}`
    return JSON.stringify({
      version: `${index % 7}.${index % 13}.${run}`,
      resolved: `https://registry.example.com/${name}/-/${name}-1.0.0.tgz`,
      integrity: `sha512-${'a'.repeat(86)}==`,
      dependencies: { [`import-${run}-package-${index + 1}`]: '^1.0.0' },
    }).replace(/^/, `"node_modules/${name}":`)
  })
  const text = `{"lockfileVersion":3,"packages":{${entries.join(',\n')}}}`
  return text.length > contentLength ? text.slice(0, contentLength) : text.padEnd(contentLength, ' ')
}

function affectedOf(product: number, range: number) {
  const introduced = `${range}.${product % 10}.0`
  const fixed = `${range + (product % 3)}.${(product % 10) + 1}.${product % 30}`
  return { ranges: [{ introduced, isIntroducedIncluded: true, fixed, lastAffected: null }], versions: [] }
}

function idOf(product: number, range: number): string {
  return `CVE-2020-${100_000 + product * rangesEach + range}`
}

/** A superuser's session may leave out the checks of foreign keys, which all hold here and are most of the work. */
async function addEntries({ transaction }: Database): Promise<void> {
  await transaction(async ({ client }) => {
    await client.query(`set local session_replication_role = 'replica'`)
    for (let place = 1; place <= entriesEach; place += 1)
      await client.query(
        `insert into monitor_software (id, monitor_key, component_key, name, source, added_at)
        select gen_random_uuid(), monitor.key, component.key, component.product, 'detected', now()
        from monitors as monitor
        join components as component on component.key = (monitor.key * 7919 + $1::integer * 104729) % $2 + 1`,
        [place, components],
      )
  })
}
