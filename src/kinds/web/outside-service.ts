import { parseBoundedJson } from '#core/language/bounded-json.ts'
import type { Net } from '#net/net.ts'

/** A question to an outside service. `name` is for texts, `secret` is taken out of whatever it answers. */
export type Question = { name: string; url: URL; timeoutMs: number; secret: string | null }

/**
 * What it answered. A refusal carries the service's own words. `problem` is a sentence: the service's trouble, or that
 * of the way to it, which says nothing about the target.
 */
export type ServiceAnswer =
  | { type: 'answer'; json: unknown }
  | { type: 'refusal'; message: string; problem: string }
  | { type: 'trouble'; problem: string }

/** A report of PageSpeed from which nothing was left out has one or two MiB. */
export const maxAnswerBytes = 4 * 1024 * 1024
const maxJsonCost = 10_000
/** In characters, of the service's own words. */
const maxMessage = 300

/** Asks without redirects, which would carry the customer's key elsewhere. Never throws for what the service does. */
export async function askService(question: Question, net: Net, signal: AbortSignal): Promise<ServiceAnswer> {
  const { name, url, timeoutMs, secret } = question
  const outcome = await net.http(
    {
      url,
      method: 'GET',
      headers: { 'user-agent': 'Perigee/1 (+uptime check)', accept: 'application/json' },
      body: null,
      maxRedirects: 0,
      headersOnly: false,
      maxBodyBytes: maxAnswerBytes,
      maxWireBytes: maxAnswerBytes,
      timeoutMs,
    },
    signal,
  )
  if (!outcome.ok) return { type: 'trouble', problem: `The ${name} could not be asked: ${outcome.failure.message}` }
  const { status, body, isTruncated } = outcome.answer
  const json = isTruncated ? undefined : parseServiceJson(new TextDecoder().decode(body))
  if (status >= 200 && status <= 299) {
    if (isObject(json)) return { type: 'answer', json }
    return { type: 'trouble', problem: `The ${name} answered with something that is not its JSON` }
  }
  const said = errorMessage(json)
  const message = (secret === null ? said : said.replaceAll(secret, '***')).slice(0, maxMessage)
  const problem = `The ${name} refused: HTTP status ${status}${message === '' ? '' : `, ${message}`}`
  return { type: 'refusal', message, problem }
}

/** The root of a service with its public path appended. */
export function serviceUrl(root: string, path: string, query: readonly (readonly [string, string])[]): URL {
  const url = new URL(`${root}${path}`)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url
}

export function memberOf(value: unknown, ...path: string[]): unknown {
  let found = value
  for (const key of path) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  return found
}

/** As Google's interfaces put it: `{"error": {"message": …}}`. */
function errorMessage(json: unknown): string {
  const message = memberOf(json, 'error', 'message')
  return typeof message === 'string' ? message.replaceAll(/\s+/g, ' ').trim() : ''
}

/** Undefined where the text is no JSON, or was made to be slow. */
export function parseServiceJson(text: string): unknown {
  const read = parseBoundedJson(text, maxJsonCost)
  return read.type === 'value' ? read.value : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
