import { ConnectionError, errorOf, PerigeeError, type Refusal, TimeoutError } from './errors.ts'
import { pauseFor, waitBefore } from './retry.ts'

export type PerigeeOptions = {
  /** Where the service is, such as `https://up.example.com`. */
  url: string
  /** An API token. Without one only a monitor can be created, for money. */
  token?: string | undefined
  /** For how long a call may take, repeats included. Default 30,000. */
  timeoutMs?: number | undefined
  /** How often a call is tried again where that is safe. Default 4. */
  maxRetries?: number | undefined
  /** Takes the place of the global `fetch`. */
  fetch?: typeof fetch | undefined
}

export type CallOptions = {
  /** Ends the call. */
  signal?: AbortSignal | undefined
  /** In place of that of the client. */
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
  /** Of creations: a repeat with the same key within 24 hours makes nothing twice. Default: a random one a call. */
  idempotencyKey?: string | undefined
  /** What pays: `credentialFor` one of the challenges of a `PaymentRequiredError`. */
  payment?: string | undefined
}

/** One request as the methods of the client make it. */
export type Order = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v1. */
  path: string
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  /** In place of a body, sent as it is. */
  file?: Blob | Uint8Array<ArrayBuffer> | undefined
  takesKey?: boolean
}

/** Resolves to the body of the answer: JSON where it is JSON, text where it is text, undefined where there is none. */
export type Send = (order: Order, options?: CallOptions) => Promise<unknown>

const defaultTimeoutMs = 30_000
const defaultRetries = 4
const maxTimeoutMs = 2_147_483_647

export function createSend(client: PerigeeOptions): Send {
  const root = rootOf(client.url)
  return async (order, options = {}) => {
    const timeoutMs = Math.min(options.timeoutMs ?? client.timeoutMs ?? defaultTimeoutMs, maxTimeoutMs)
    const retries = options.maxRetries ?? client.maxRetries ?? defaultRetries
    const late = AbortSignal.timeout(timeoutMs)
    const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late])
    const until = Date.now() + timeoutMs
    const request = requestOf(order, client, options)
    const mayRepeat = order.method === 'GET' || request.headers.has('idempotency-key') || options.payment !== undefined
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(root + order.path + queryOf(order.query), { ...request, signal }, client.fetch ?? fetch)
      } catch (error) {
        if (options.signal?.aborted === true) throw options.signal.reason
        if (late.aborted) throw new TimeoutError(`There was no answer within ${timeoutMs} ms.`, { cause: error })
        const waitMs = attempt < retries ? waitBefore(error, { attempt, mayRepeat }) : null
        if (waitMs === null || Date.now() + waitMs >= until) throw error
        await pauseFor(waitMs, signal)
      }
    }
  }
}

async function once(url: string, request: RequestInit, send: typeof fetch): Promise<unknown> {
  try {
    const response = await send(url, request)
    const body = bodyOf(await response.text(), response.headers)
    if (response.ok) return body
    const refusal: Refusal = { status: response.status, headers: response.headers, body }
    throw errorOf(refusal)
  } catch (error) {
    if (error instanceof PerigeeError) throw error
    throw new ConnectionError(`The service gave no answer that could be read: ${reasonOf(error)}`, { cause: error })
  }
}

/** A redirect is an error: the token would follow it to an address that was not named. */
function requestOf(order: Order, client: PerigeeOptions, options: CallOptions): RequestInit & { headers: Headers } {
  const headers = new Headers({ accept: 'application/json, text/*;q=0.5' })
  if (client.token !== undefined) headers.set('x-api-key', client.token)
  if (options.payment !== undefined) headers.set('authorization', `Payment ${options.payment}`)
  if (order.takesKey === true) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID())
  if (order.body !== undefined) headers.set('content-type', 'application/json')
  if (order.file !== undefined) headers.set('content-type', 'application/octet-stream')
  const json = order.body === undefined ? {} : { body: JSON.stringify(order.body) }
  const body = order.file === undefined ? json : { body: order.file }
  return { method: order.method, headers, redirect: 'error', ...body }
}

function rootOf(url: string): string {
  const { protocol, origin, pathname, search, hash, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('url: Must begin with http:// or https://.')
  if (search + hash + username + password !== '') throw new TypeError('url: Is a host and a path at most.')
  return `${origin}${pathname.replace(/\/+$/, '')}/api/v1`
}

/** Several values of a parameter are separated by commas. */
function queryOf(query: Order['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** An answer that says it is JSON and is not came from something in between, such as a proxy. */
function bodyOf(text: string, headers: Headers): unknown {
  if (text === '') return undefined
  return /^application\/(?:[\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
