import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import type { FeedRoots } from '#core/software/feed-roots.ts'
import { httpServer } from './http-server.ts'
import { zipArchive } from './zip-archive.ts'

/** A record of OSV, as it lies in the folder of an ecosystem. */
export type OsvFile = { ecosystem: string; id: string; modified: string; text: string }

/** The content that one server of all feeds serves; tests change it as they go. */
export type FeedWorld = {
  osv: OsvFile[]
  /** The `cve` objects of NVD's records by id; each has `lastModified`. */
  nvd: Record<string, { lastModified: string } & Record<string, unknown>>
  /** Records of the CVE list by id. */
  cve: Record<string, string>
  /** The newest first. */
  cveLog: { fetchTime: string; new: string[]; updated: string[] }[]
  exploited: unknown
  endoflife: unknown
  /** Answers in place of the usual one where it gives true; asked before each. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
}

export type FeedServer = {
  world: FeedWorld
  roots: FeedRoots
  /** Paths with their queries, in order. */
  asked: string[]
  /** Milliseconds that clients waited by `wait`, which waits for nothing. */
  waits: number[]
  wait: (ms: number) => Promise<void>
}

/** Stands in for the servers of all advisory feeds. */
export async function feedServer(world: Partial<FeedWorld> = {}): Promise<FeedServer> {
  const asked: string[] = []
  const waits: number[] = []
  const served: FeedWorld = {
    osv: [],
    nvd: {},
    cve: {},
    cveLog: [],
    exploited: { vulnerabilities: [] },
    endoflife: { result: [] },
    intercept: () => false,
    ...world,
  }
  const { port } = await httpServer((request, response) => {
    asked.push(request.url ?? '')
    if (!served.intercept(request, response)) answer(served, request, response)
  })
  const root = `http://127.0.0.1:${port}`
  const roots = Object.fromEntries(
    ['osv', 'nvd', 'cve', 'exploited', 'endoflife'].map((name) => [name, `${root}/${name}`]),
  )
  return {
    world: served,
    roots: {
      osv: roots['osv'] ?? null,
      nvd: roots['nvd'] ?? null,
      cve: roots['cve'] ?? null,
      exploited: roots['exploited'] ?? null,
      endoflife: roots['endoflife'] ?? null,
    },
    asked,
    waits,
    wait: async (ms) => void waits.push(ms),
  }
}

function answer(world: FeedWorld, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://feeds.test')
  const [, feed = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
  const body = bodyOf(world, feed, { path: rest.join('/'), query: url.searchParams })
  if (body === null) {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
    return
  }
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
  else response.writeHead(200, { etag }).end(body)
}

type Asked = { path: string; query: URLSearchParams }

function bodyOf(world: FeedWorld, feed: string, asked: Asked): Buffer | string | null {
  switch (feed) {
    case 'osv':
      return osvBody(world, asked)
    case 'nvd':
      return asked.path === 'rest/json/cves/2.0' ? nvdBody(world, asked) : null
    case 'cve':
      return cveBody(world, asked)
    case 'exploited':
      return asked.path === 'sites/default/files/feeds/known_exploited_vulnerabilities.json'
        ? JSON.stringify(world.exploited)
        : null
    case 'endoflife':
      return asked.path === 'api/v1/products/full' ? JSON.stringify(world.endoflife) : null
    default:
      return null
  }
}

function osvBody({ osv }: FeedWorld, { path }: Asked): Buffer | string | null {
  const [ecosystem, file = ''] = path.split('/')
  const files = osv.filter((one) => one.ecosystem === ecosystem)
  if (file === 'all.zip') return zipArchive(Object.fromEntries(files.map(({ id, text }) => [`${id}.json`, text])))
  if (file !== 'modified_id.csv') return files.find(({ id }) => `${id}.json` === file)?.text ?? null
  return files
    .toSorted((one, other) => Date.parse(other.modified) - Date.parse(one.modified))
    .map(({ id, modified }) => `${modified},${id}\n`)
    .join('')
}

function nvdBody({ nvd }: FeedWorld, { query }: Asked): string {
  const [from, until] = ['lastModStartDate', 'lastModEndDate'].map((name) => query.get(name))
  const found = Object.values(nvd).filter(
    ({ lastModified }) => !from || !until || (lastModified >= from && lastModified <= until),
  )
  const start = Number(query.get('startIndex') ?? 0)
  const page = found.slice(start, start + Number(query.get('resultsPerPage') ?? 2000))
  return JSON.stringify({
    resultsPerPage: page.length,
    startIndex: start,
    totalResults: found.length,
    format: 'NVD_CVE',
    vulnerabilities: page.map((cve) => ({ cve })),
  })
}

function cveBody({ cve, cveLog }: FeedWorld, { path }: Asked): Buffer | string | null {
  if (path === 'raw/refs/heads/main/cves/deltaLog.json')
    return JSON.stringify(
      cveLog.map(({ fetchTime, new: added, updated }) => ({
        fetchTime,
        numberOfChanges: added.length + updated.length,
        new: changes(added),
        updated: changes(updated),
        error: [],
      })),
    )
  if (path === 'archive/refs/heads/main.zip')
    return zipArchive({
      'cvelistV5-main/README.md': '# CVE list',
      ...Object.fromEntries(Object.entries(cve).map(([id, text]) => [`cvelistV5-main/${fileOf(id)}`, text])),
    })
  return Object.entries(cve).find(([id]) => path === `raw/refs/heads/main/${fileOf(id)}`)?.[1] ?? null
}

function changes(ids: readonly string[]): unknown[] {
  return ids.map((cveId) => ({ cveId }))
}

function fileOf(id: string): string {
  const [, year, number = ''] = id.split('-')
  return `cves/${year}/${number.slice(0, -3)}xxx/${id}.json`
}
