import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { z } from 'zod'
import { replaceAdvisories } from '#store/advisories.ts'
import type { Database } from '#store/database.ts'
import { compileAdvisories, type KnownAffected, matchVersion } from '../src/advisories/match.ts'
import { latencies, percentile, whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { pause, type Service, waitFor, withService } from './support/service.ts'

const products = 1_700
const rangesEach = 18
const components = 200_000
const monitors = 100_000
const entriesEach = 10
const advisories = 20
const imports = 5
const contentLength = 5_000_000
const deadlineMs = 120_000

/** What is known against what everybody has; one new advisory until its alert; and the import of the longest lockfile. */
export async function vulnerabilities(): Promise<void> {
  const seconds = matchAll()
  await withService({ environment: { PERIGEE_FEED_OSV: 'off', ...feedsOff }, seed }, async (service) => {
    const stored = await matchStored(service)
    const alertMs = await alertOfNew(service)
    const imported = await importLockfiles(service)
    console.log(
      `vulnerabilities: ${whole(components)} components matched in ${seconds.toFixed(2)} s of one core, goal 3 ` +
        `(${stored.toFixed(1)} s with reading and writing); ${percentile(alertMs, 0.99).toFixed(0)} ms p99 from advisory ` +
        `to alert, goal 1,000; ${percentile(imported, 1).toFixed(0)} ms for an import of 5 MB, goal 2,000`,
    )
  })
}

const feedsOff = {
  PERIGEE_FEED_NVD: 'off',
  PERIGEE_FEED_CVE: 'off',
  PERIGEE_FEED_EXPLOITED: 'off',
  PERIGEE_FEED_ENDOFLIFE: 'off',
}

/** Of this process's CPU, the second time: the first compiles the code. */
function matchAll(): number {
  let hits = 0
  const now = new Date()
  const work = (): void => {
    hits = 0
    const compiled = Array.from({ length: products }, (_, product) =>
      compileAdvisories(
        Array.from({ length: rangesEach }, (__, range) => knownOf(product, range)),
        'npm',
      ),
    )
    for (let component = 0; component < components; component += 1) {
      const known = compiled[component % products]
      if (known !== undefined) hits += matchVersion(known, versionOf(component), now).length
    }
  }
  work()
  const startedAt = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(startedAt)
  const seconds = (user + system) / 1e6
  console.log(
    `${whole(components)} components with ${whole(products * rangesEach)} ranges: ${seconds.toFixed(2)} s, ${whole(hits)} hits`,
  )
  return seconds
}

function affectedOf(product: number, range: number) {
  const introduced = `${range}.${product % 10}.0`
  const fixed = `${range + (product % 3)}.${(product % 10) + 1}.${product % 30}`
  return { ranges: [{ introduced, isIntroducedIncluded: true, fixed, lastAffected: null }], versions: [] }
}

function knownOf(product: number, range: number): KnownAffected {
  return {
    vulnerability: idOf(product, range),
    source: 'osv',
    affected: affectedOf(product, range),
    isConditional: false,
    mayApply: false,
    publishedAt: new Date(),
    isExploited: false,
  }
}

function idOf(product: number, range: number): string {
  return `CVE-2020-${100_000 + product * rangesEach + range}`
}

function versionOf(component: number): string {
  return `${component % 20}.${Math.trunc(component / 20) % 50}.${(component * 7) % 100}`
}

/** Monitors with ten entries each of the components that there are, and what is known of them. */
async function seed(seeded: Parameters<typeof addMonitors>[0]): Promise<void> {
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
  for (let place = 1; place <= entriesEach; place += 1)
    await database.pool.query(
      `insert into monitor_software (id, monitor_key, component_key, name, source, added_at)
      select gen_random_uuid(), monitor.key, component.key, component.product, 'detected', now()
      from monitors as monitor
      join components as component on component.key = (monitor.key * 7919 + $1::integer * 104729) % $2 + 1
      on conflict do nothing`,
      [place, components],
    )
  for (let product = 0; product < products; product += 1)
    await publish(
      database,
      Array.from({ length: rangesEach }, (_, range) => ({
        id: idOf(product, range),
        product,
        range,
        severity: 'high',
      })),
    )
  await database.pool.query('analyze')
}

type Published = { id: string; product: number; range: number | null; severity: 'high' | 'critical' }

/** `range` null for all versions. */
async function publish(database: Database, published: readonly Published[]): Promise<void> {
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

/** How long the running service takes for all that was never compared. */
async function matchStored({ database }: Service): Promise<number> {
  const count = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ number: number }>(
      `select (select count(*)::integer from components where matched_at is null)
        + (select count(*)::integer from match_queue) + (select count(*)::integer from finding_alerts) as number`,
    )
    return rows[0]?.number ?? 0
  }
  const startedAt = performance.now()
  const left = await count()
  await waitFor('everything to be compared', async () => (await count()) === 0, { deadlineMs: 10 * deadlineMs })
  const seconds = (performance.now() - startedAt) / 1000
  const { rows } = await database.pool.query<{ number: number }>('select count(*)::integer as number from findings')
  console.log(
    `  in the database of ${whole(monitors)} monitors with ${entriesEach} entries each, ${whole(left)} that waited: ` +
      `${seconds.toFixed(1)} s, ${whole(rows[0]?.number ?? 0)} findings`,
  )
  return seconds
}

/** Other alerts, of monitors that are down, have no findings. */
const alertBody = z.object({
  data: z.object({ findings: z.array(z.object({ vuln_id: z.string() })).default([]) }),
})

/** From the commit of an advisory to the arrival of the last of its alerts, one advisory after the other. */
async function alertOfNew(service: Service): Promise<number[]> {
  const { database } = service
  const arrived = new Map<string, number[]>()
  const server = createServer((asked, response) => {
    let text = ''
    asked.on('data', (bytes: Buffer) => (text += bytes.toString()))
    asked.on('end', () => {
      response.writeHead(204).end()
      for (const { vuln_id: id } of alertBody.parse(JSON.parse(text)).data.findings)
        arrived.set(id, [...(arrived.get(id) ?? []), performance.now()])
    })
  })
  server.listen(0, '127.0.0.1', 1024)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server without a port.')
  const contact = { name: 'Bench', kind: 'webhook', destination: `http://127.0.0.1:${address.port}` }
  await post(service, '/alert-channels', contact)
  const firstMs: number[] = []
  const lastMs: number[] = []
  const told: number[] = []
  for (let index = 0; index < advisories; index += 1) {
    const id = `CVE-2026-${90_000 + index}`
    // Each of a product of its own that one monitor has, so that the alerts of others are no part of it.
    const { product, number } = await addRare(database, index)
    await publish(database, [{ id, product, range: null, severity: 'critical' }])
    const committedAt = performance.now()
    await waitFor('the alerts', () => (arrived.get(id)?.length ?? 0) >= number, { deadlineMs, everyMs: 5 })
    const times = arrived.get(id) ?? []
    firstMs.push((times[0] ?? Number.NaN) - committedAt)
    lastMs.push((times.at(-1) ?? Number.NaN) - committedAt)
    told.push(number)
  }
  console.log(`  ${advisories} advisories, ${told[0]} monitors each: ${latencies(firstMs)} to the first alert`)
  console.log(`  and ${latencies(lastMs)} to the last`)
  server.closeAllConnections()
  server.close()
  return lastMs
}

const rareMonitors = 10

/** A product that ten of the monitors have, compared already. */
async function addRare(database: Database, index: number): Promise<{ product: number; number: number }> {
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

/** Imports into one monitor, while somebody else asks for something small again and again. */
async function importLockfiles(service: Service): Promise<number[]> {
  const { database, url, token } = service
  const { rows } = await database.pool.query<{ id: string }>('select id from monitors order by key desc limit 1')
  const path = `/monitors/${rows[0]?.id}/software/import`
  const headers = { 'X-API-Key': token }
  const ask = async (): Promise<number> => {
    const startedAt = performance.now()
    await (await fetch(`${url}/api/v1/locations`, { headers })).text()
    return performance.now() - startedAt
  }
  const askUntil = async (isOver: () => boolean): Promise<number[]> => {
    const times: number[] = []
    while (!isOver()) {
      times.push(await ask())
      await pause(5)
    }
    return times
  }
  const startedAt = performance.now()
  const alone = await askUntil(() => performance.now() - startedAt > 3_000)
  const took: number[] = []
  let isOver = false
  const own = monitorEventLoopDelay({ resolution: 1 })
  own.enable()
  const asking = askUntil(() => isOver)
  for (let index = 0; index < imports; index += 1) {
    const content = lockfile(index)
    const begunAt = performance.now()
    await post(service, path, { content, filename: 'package-lock.json' })
    took.push(performance.now() - begunAt)
    await pause(300)
  }
  isOver = true
  const meanwhile = await asking
  own.disable()
  console.log(
    `  imports of ${whole(contentLength)} characters, ${whole(packagesOf(contentLength))} packages: ${took.map(whole).join(', ')} ms`,
  )
  console.log(
    `  GET /locations meanwhile: ${latencies(meanwhile)}, at most ${whole(percentile(meanwhile, 1))} ms; alone ` +
      `${latencies(alone)}, at most ${whole(percentile(alone, 1))} ms (this process stood still for at most ` +
      `${whole(own.max / 1e6)} ms itself)`,
  )
  return took
}

const entryLength = 330

function packagesOf(length: number): number {
  return Math.floor(length / entryLength)
}

/** As npm writes it, indented, with integrity and dependencies. */
function lockfile(run: number): string {
  const entries = Array.from({ length: packagesOf(contentLength) - 10 }, (_, index) => {
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

async function post({ url, token }: Service, path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
}
