import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isTokenText } from '#core/people/token-format.ts'
import { readConfig } from '#config/config.ts'
import { readServiceAddress } from '#config/config-service.ts'
import { folderHolder } from '#store/embedded/data-folder.ts'
import { UsageError } from './terminal.ts'

/** A running service that a command asks, at the root of its API. */
export type Service = { root: URL; token: string }

const usualAnswerMs = 30_000
const refusalSchema = z.object({ message: z.string() })

/** What the command line names, else the environment. Throws UsageError, or ConfigError of what the environment says. */
export function readService(given: { url?: string; 'token-file'?: string }, usage: string): Service {
  const environment = readServiceAddress()
  const file = given['token-file']
  const url = given.url ?? environment.url
  const token = file === undefined ? environment.token : tokenOf(file, usage)
  if (url === null) throw new UsageError('Name a service: give --url, or set PERIGEE_URL.', usage)
  if (token === null) throw new UsageError('A token is missing: give --token-file, or set PERIGEE_TOKEN.', usage)
  return { root: rootOf(url, usage), token }
}

/** The same, and without any address the service that runs on the data folder of this machine. */
export function readNearService(given: { url?: string; 'token-file'?: string }, usage: string): Service {
  const near = given.url ?? readServiceAddress().url ?? folderHolder(readConfig().dataFolder)?.address
  return readService(near === undefined || near === null ? given : { ...given, url: near }, usage)
}

function rootOf(service: string, usage: string): URL {
  const root = URL.canParse(service) ? new URL(service) : null
  if (root === null || !['http:', 'https:'].includes(root.protocol) || root.username !== '' || root.search !== '')
    throw new UsageError(`${JSON.stringify(service)} is not an http:// or https:// address of a service.`, usage)
  return new URL('api/v1/', service.endsWith('/') ? service : `${service}/`)
}

function tokenOf(file: string, usage: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), usage)
  }
  if (!isTokenText(text)) throw new UsageError(`${file} holds no API token. An API token begins with pgk_.`, usage)
  return text
}

export type ServiceAnswer = { ok: true; body: unknown } | { ok: false; problem: string }

/** Reads what the service has at a path below its API; null where that is no JSON. */
export async function readFrom(service: Service, path: string, maxBytes: number): Promise<ServiceAnswer> {
  return ask(service, { path, maxBytes, request: {} })
}

/** Posts what has a short answer. */
export async function postTo(service: Service, path: string, body: unknown): Promise<ServiceAnswer> {
  const headers = { 'content-type': 'application/json' }
  return ask(service, { path, maxBytes: 65_536, request: { method: 'POST', headers, body: JSON.stringify(body) } })
}

export type Question = {
  path: string
  maxBytes: number
  request: { method?: string; headers?: Record<string, string>; body?: string }
  /** How long the service may take. Default 30 s. */
  answerMs?: number
}

/** `body` is null where it is no JSON. */
export type Sent =
  | { type: 'answered'; status: number; headers: Headers; body: unknown }
  /** No answer came, so that it is not known whether the service did what it was asked for. */
  | { type: 'lost'; problem: string }

/** One request; whatever the answer is. */
export async function send(
  service: Service,
  { path, maxBytes, request, answerMs = usualAnswerMs }: Question,
): Promise<Sent> {
  try {
    const response = await fetch(new URL(path, service.root), {
      ...request,
      headers: { ...request.headers, 'x-api-key': service.token },
      // The token is for the service that was named.
      redirect: 'error',
      signal: AbortSignal.timeout(answerMs),
    })
    const body = await readJson(response, maxBytes)
    return { type: 'answered', status: response.status, headers: response.headers, body }
  } catch (error) {
    return { type: 'lost', problem: `The service cannot be reached: ${reasonOf(error)}` }
  }
}

/** Why a request was refused, as the service says it. */
export function refusalOf({ status, body }: { status: number; body: unknown }): string {
  const { message = 'no reason was given.' } = refusalSchema.safeParse(body).data ?? {}
  return `The service answered ${status}: ${message}`
}

async function ask(service: Service, question: Question): Promise<ServiceAnswer> {
  const sent = await send(service, question)
  if (sent.type === 'lost') return { ok: false, problem: sent.problem }
  return sent.status === 200 ? { ok: true, body: sent.body } : { ok: false, problem: refusalOf(sent) }
}

async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxBytes) throw new Error('its answer is too long.')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
