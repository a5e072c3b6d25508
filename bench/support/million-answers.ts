// How long the API takes to change and to list the monitors of an installation that has many.
import { z } from 'zod'
import type { Assignment } from '#core/monitors/check.ts'
import { signIn } from '../console.ts'
import { benchLocation, type ClusterBench, type EngineProcess, publicUrl } from './cluster.ts'
import { latencies, whole } from './figures.ts'
import { waitFor } from './service.ts'

type Asked = { bench: ClusterBench; api: EngineProcess }
type Changed = Asked & {
  ids: readonly string[]
  onAssigned: (listener: ((assignment: Assignment) => void) | undefined) => void
}

const changes = 20
const target = 'http://127.0.0.1:9/'
const changeMs = 30_000
const pages = 200
const pageSize = 100
const overviews = 3
/** That of the console. */
const overviewPageSize = 2000
const answerMs = 120_000
const listSchema = z.object({ next_cursor: z.string().nullable() })

/** A monitor with another interval is checked at once: from the request to the assignment of its new version. */
export async function measureChanges({ bench, api, ids, onAssigned }: Changed): Promise<void> {
  const asked: number[] = []
  const used: number[] = []
  for (let change = 0; change < changes; change += 1) {
    const id = ids[Math.floor((change * ids.length) / changes)] ?? ''
    let usedAt = 0
    onAssigned(({ monitorId, version }) => {
      if (monitorId === id && version > 1) usedAt = performance.now()
    })
    const startedAt = performance.now()
    const response = await fetch(`${api.url}/api/v1/monitors/${id}`, {
      method: 'PATCH',
      headers: { 'X-API-Key': bench.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'Changed',
        kind: 'http',
        url: target,
        interval_seconds: 3_600,
        locations: [benchLocation],
      }),
      signal: AbortSignal.timeout(answerMs),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`A change was answered ${response.status}: ${text.slice(0, 500)}`)
    asked.push(performance.now() - startedAt)
    await waitFor('a changed monitor to be checked', () => usedAt > 0, { deadlineMs: changeMs, everyMs: 10 })
    used.push(usedAt - startedAt)
  }
  onAssigned(undefined)
  console.log(`  a change is answered in ${latencies(asked)}, and its monitor asked for anew in ${latencies(used)}`)
}

/** The list page by page, and the overview, of the one workspace that has all monitors. */
export async function measureAnswers({ bench, api }: Asked): Promise<void> {
  const headers = { 'X-API-Key': bench.token }
  const root = `${api.url}/api/v1/monitors?limit=${pageSize}`
  const waits: number[] = []
  let cursor: string | null = null
  for (let page = 0; page < pages; page += 1) {
    const { ms, text } = await ask(cursor === null ? root : `${root}&cursor=${cursor}`, headers)
    waits.push(ms)
    cursor = listSchema.parse(JSON.parse(text)).next_cursor
    if (cursor === null) break
  }
  console.log(
    `  GET /monitors, ${pageSize} a page: first ${whole(waits[0] ?? 0)} ms, the next ${waits.length - 1} pages ` +
      `${latencies(waits.slice(1))}, the last ten ${latencies(waits.slice(-10))}`,
  )
  const session = await signIn({ url: api.url, workspaceId: bench.workspaceId, origin: publicUrl })
  for (let call = 0; call < overviews; call += 1)
    try {
      const { ms, text } = await ask(`${api.url}/api/v1/overview`, session)
      console.log(`  GET /overview: ${whole(ms)} ms, ${whole(text.length / 1000)} kB`)
    } catch (error) {
      console.log(`  GET /overview: ${String(error)}`)
    }
  await measureOverviewPages(`${api.url}/api/v1/overview?limit=${overviewPageSize}`, session)
}

/** As the console reads it. */
async function measureOverviewPages(root: string, headers: Record<string, string>): Promise<void> {
  const waits: number[] = []
  let bytes = 0
  let cursor: string | null = null
  do {
    const { ms, text } = await ask(cursor === null ? root : `${root}&cursor=${cursor}`, headers)
    if (cursor === null) console.log(`  GET /overview, first page: ${whole(ms)} ms, ${whole(text.length / 1000)} kB`)
    waits.push(ms)
    bytes += text.length
    cursor = listSchema.parse(JSON.parse(text)).next_cursor
  } while (cursor !== null)
  const all = waits.reduce((sum, ms) => sum + ms, 0)
  console.log(
    `  GET /overview, ${overviewPageSize} a page: ${waits.length} pages ${latencies(waits)}, ` +
      `all in ${whole(all)} ms, ${whole(bytes / 1000)} kB`,
  )
}

async function ask(url: string, headers: Record<string, string>): Promise<{ ms: number; text: string }> {
  const startedAt = performance.now()
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(answerMs) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 300)}`)
  return { ms: performance.now() - startedAt, text }
}
