import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { feedNames } from '#core/software/feed-roots.ts'
import { openDatabase } from '#store/database/database.ts'
import type { Embedded } from '#store/embedded/embedded.ts'
import { readSchemaText } from './schema-text.ts'

/** Each a text of many lines, in an order that depends on nothing but what it shows. */
export interface Surface {
  openapi: string
  tools: string
  schema: string
}

export interface SurfaceOptions {
  /** Its packages are installed. */
  checkout: string
  /** The name of a database that is made for it. */
  database: string
  embedded: Embedded
  folder: string
}

const startMs = 120_000
const askMs = 30_000
const token = `pgk_${'a'.repeat(40)}`
const feedsOff = Object.fromEntries(feedNames.map((name) => [`PERIGEE_FEED_${name.toUpperCase()}`, 'off']))

/** The interface of a checkout once it has started. Throws when it does not start, or refuses to answer. */
export async function readSurface({ checkout, database, embedded, folder }: SurfaceOptions): Promise<Surface> {
  const { connection } = embedded
  const operator = openDatabase({ connection, maxConnections: 1 })
  await operator.pool.query(`create database ${database}`)
  await operator.close()
  const { user, password, socketFolder } = connection
  const host = encodeURIComponent(socketFolder)
  const child = spawn(process.execPath, [join(checkout, 'bin/perigee.js'), 'start'], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...feedsOff,
      PERIGEE_PORT: '0',
      PERIGEE_DATA_DIR: join(folder, database),
      PERIGEE_DATABASE_URL: `postgres://${user}:${password}@localhost/${database}?host=${host}`,
      PERIGEE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      PERIGEE_OWNER_TOKEN: token,
      PERIGEE_PAYMENTS: 'sandbox',
      PERIGEE_LOG_LEVEL: 'error',
    },
  })
  try {
    const url = await addressOf(child.stdout)
    const openapi = await askJson(`${url}/openapi.json`)
    const tools = await listTools(url)
    const migrated = openDatabase({ connection: { ...connection, database }, maxConnections: 1 })
    const schema = await readSchemaText(migrated)
    await migrated.close()
    return { openapi: textOf(openapi), tools: textOf(tools), schema }
  } finally {
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let printed = ''
  output.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const until = performance.now() + startMs
  while (performance.now() < until) {
    const url = /^Perigee is at (http\S+)$/m.exec(printed)?.[1]
    if (url !== undefined) return url
    await delay(50)
  }
  throw new Error(`The service did not start within ${startMs} ms: ${printed}`)
}

async function listTools(url: string): Promise<unknown[]> {
  const tools: unknown[] = []
  let cursor: unknown
  do {
    const params = cursor === undefined ? {} : { cursor }
    const answer: unknown = await askJson(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list', params })
    const result = memberOf(answer, 'result')
    const page = memberOf(result, 'tools')
    if (!Array.isArray(page)) throw new Error(`No tools were listed: ${JSON.stringify(answer)}`)
    tools.push(...page)
    cursor = memberOf(result, 'nextCursor')
  } while (cursor !== undefined)
  return tools
}

async function askJson(url: string, message?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(askMs),
    headers: { 'X-API-Key': token, Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
    ...(message === undefined ? {} : { method: 'POST', body: JSON.stringify(message) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text)
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([member]) => member === name)?.[1]
}

/** Without addresses of this start and without texts for people. */
function textOf(value: unknown): string {
  return JSON.stringify(value, withoutTexts, 1).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://perigee')
}

/** A property that is called description is an object, and stays. */
function withoutTexts(name: string, member: unknown): unknown {
  return (name === 'description' || name === 'summary') && typeof member === 'string' ? undefined : member
}
