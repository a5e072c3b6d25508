import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { z } from 'zod'
import type { Database } from '#store/database/database.ts'
import { compileAdvisories, matchVersion } from '../src/advisories/match.ts'
import { latencies, percentile, whole } from './support/figures.ts'
import { pause, type Service, waitFor, withService } from './support/service.ts'
import {
  addRare,
  components,
  contentLength,
  entriesEach,
  knownOf,
  lockfile,
  monitors,
  packagesOf,
  products,
  publish,
  ranges,
  seed,
  versionOf,
} from './vulnerabilities-data.ts'
import { writeFindingsBare, writeImportBare } from './vulnerabilities-references.ts'

const advisories = 20
const imports = 5
const deadlineMs = 120_000
const storedMs = 1_200_000

/**
 * Measures all advisories against all software, one new advisory until its alert, and the import of the longest
 * lockfile.
 */
export async function vulnerabilities(): Promise<void> {
  const seconds = matchAll()
  await withService({ seed }, async (service) => {
    const stored = await matchStored(service)
    const alertMs = await alertOfNew(service)
    const imported = await importLockfiles(service)
    console.log(
      `vulnerabilities: ${whole(components)} components matched in ${seconds.toFixed(2)} s of one core, goal 3 ` +
        `(${stored.toFixed(1)} s with reading and writing); ${percentile(alertMs, 0.99).toFixed(0)} ms p99 from advisory ` +
        `to alert, goal 1,000; ${percentile(imported, 0.5).toFixed(0)} ms p50 for an import of 5 MB, goal 2,000`,
    )
  })
}

/** CPU time of this process in the second run: the first compiles the code. */
function matchAll(): number {
  let hits = 0
  const now = new Date()
  const work = (): void => {
    hits = 0
    const compiled = Array.from({ length: products }, (_, product) => compileAdvisories(knownOf(product), 'npm'))
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
    `${whole(components)} components with ${whole(ranges)} ranges: ${seconds.toFixed(2)} s, ${whole(hits)} hits`,
  )
  return seconds
}

/** How long the running service takes for all that was never compared, and to look whom to tell of it. */
async function matchStored({ database }: Service): Promise<number> {
  const startedAt = performance.now()
  const left = (await count(database, `from ${unmatched}`)) + (await count(database, 'from match_queue'))
  const waits = `exists (select from match_queue) or exists (select from ${unmatched})`
  await waitUntil(database, { what: 'everything to be compared', condition: `not (${waits})` })
  const seconds = (performance.now() - startedAt) / 1000
  const isTold = 'not exists (select from finding_alerts)'
  await waitUntil(database, { what: 'nobody to be left to tell', condition: isTold })
  const toldSeconds = (performance.now() - startedAt) / 1000 - seconds
  const findings = await count(database, 'from findings')
  console.log(
    `  in the database of ${whole(monitors)} monitors with ${entriesEach} entries each, ${whole(left)} that waited: ` +
      `${seconds.toFixed(1)} s, ${whole(findings)} findings; ${toldSeconds.toFixed(1)} s more to see that nobody is to be told`,
  )
  const bare = await writeFindingsBare(database)
  console.log(
    `  reference, the same findings into a table like theirs in one statement: ${bare.toFixed(1)} s; ours takes ` +
      `${(seconds / bare).toFixed(1)} times as long`,
  )
  return seconds
}

const unmatched = 'components where matched_at is null'

/** Asked seldom and for little, so that it is no part of what is measured. */
async function waitUntil({ pool }: Database, { what, condition }: { what: string; condition: string }): Promise<void> {
  const holds = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ holds: boolean }>(`select ${condition} as holds`)
    return rows[0]?.holds ?? false
  }
  await waitFor(what, holds, { deadlineMs: storedMs, everyMs: 500 })
}

async function count({ pool }: Database, what: string): Promise<number> {
  const { rows } = await pool.query<{ number: number }>(`select count(*)::integer as number ${what}`)
  return rows[0]?.number ?? 0
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

/** Imports into one monitor, while another client asks for something small again and again. */
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
  const bare = await writeImportBare(database, packagesOf(contentLength))
  console.log(
    `  reference, as many new rows of components and lists alone: ${whole(bare)} ms; ours takes ` +
      `${(percentile(took, 0.5) / bare).toFixed(1)} times as long`,
  )
  console.log(
    `  GET /locations meanwhile: ${latencies(meanwhile)}, at most ${whole(percentile(meanwhile, 1))} ms; alone ` +
      `${latencies(alone)}, at most ${whole(percentile(alone, 1))} ms (this process stood still for at most ` +
      `${whole(own.max / 1e6)} ms itself)`,
  )
  return took
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
