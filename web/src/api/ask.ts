import { t } from '@lingui/core/macro'

/** Problems by the name of the field, as the API tells them. */
export type Fields = Readonly<Record<string, readonly string[]>>

/** A refusal of the service, or no answer at all (`code` is then "unreachable", `status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Fields
  /** The headers of the answer; empty where there was none. */
  readonly headers: Headers

  constructor({ status, code, message, fields = {}, headers = new Headers() }: ApiRefusal) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.headers = headers
  }
}

type ApiRefusal = { status: number; code: string; message: string; fields?: Fields; headers?: Headers }

export type Ask = {
  method?: string
  body?: unknown
  /** In place of a body, sent as it is. */
  file?: Blob | undefined
  headers?: Readonly<Record<string, string>>
  /** Default 30,000. */
  deadlineMs?: number
}

const usualDeadlineMs = 30_000

/**
 * Asks the service that this page came from. Its answers are believed: the tests of the service hold every one of them
 * against its schema, and page and service are of one release.
 */
export async function ask<T>(path: string, request: Ask = {}): Promise<T> {
  const text = await askText(path, request)
  return JSON.parse(text === '' ? 'null' : text)
}

/** The same for an answer that is no JSON. */
export async function askText(
  path: string,
  { method = 'GET', body, file, headers = {}, deadlineMs = usualDeadlineMs }: Ask = {},
): Promise<string> {
  const { response, text } = await send(path, {
    method,
    headers: { ...headers, ...typeOf({ body, file }) },
    ...contentOf({ body, file }),
    signal: AbortSignal.timeout(deadlineMs),
  })
  if (!response.ok) throw refusalOf(response, text)
  return text
}

type Content = Pick<Ask, 'body' | 'file'>

function typeOf({ body, file }: Content): Record<string, string> {
  if (file !== undefined) return { 'Content-Type': 'application/octet-stream' }
  return body === undefined ? {} : { 'Content-Type': 'application/json' }
}

function contentOf({ body, file }: Content): Pick<RequestInit, 'body'> {
  if (file !== undefined) return { body: file }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** An answer that breaks off is none. */
async function send(path: string, request: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(path, request)
    return { response, text: await response.text() }
  } catch {
    const message = t`The service does not answer. Check the connection and try again.`
    throw new ApiError({ status: 0, code: 'unreachable', message })
  }
}

type Refusal = { error?: string; code?: string; message?: string; fields?: Fields } | null

/** The API says `error`, the sign-in `code`; what stands between may say anything. */
function refusalOf({ status, headers }: Response, text: string): ApiError {
  const refusal = readRefusal(text)
  const code = refusal?.error ?? refusal?.code?.toLowerCase() ?? 'unknown'
  const message = refusal?.message ?? t`The service could not do this. Try again in a moment.`
  const fields = refusal?.fields
  return new ApiError({ status, code, message, headers, ...(fields === undefined ? {} : { fields }) })
}

function readRefusal(text: string): Refusal {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
