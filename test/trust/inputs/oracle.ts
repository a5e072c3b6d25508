// What every answer has to be, whatever was asked.
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { isObject } from '#api-document/openapi-schemas.ts'
import type { Described } from './operations.ts'
import type { Answer, Broken } from './send.ts'

/** They wait for others: for a check, a receiver, or a registry of the world. */
const waiting: ReadonlySet<string> = new Set([
  'try_monitor',
  'try_monitor_change',
  'mcp check_monitor',
  'verify_exposure',
  'test_alert_channel',
  'preview_vat',
  'update_billing_details',
  'resend_confirmation',
])
export const quickMs = 1000

export function isSlow(name: string, { ms }: Answer): boolean {
  return ms > quickMs && !waiting.has(name)
}

/** Words of our own inside, which no caller is told. Nothing that is sent has them. */
const inner: readonly [what: string, pattern: RegExp][] = [
  ['a stack trace', /\n\s+at .+:\d+:\d+\)?|node_modules|\bat async |file:\/\/\/\S+\.ts/],
  [
    'words of the database',
    /syntax error at or near|violates [a-z-]+ constraint|invalid input syntax for|duplicate key value|invalid byte sequence|column "\w+" does not|relation "\w+"/,
  ],
  [
    'words of the language',
    /Cannot read propert|is not a function|is not iterable|undefined is not|Unexpected token|\[object Object\]/,
  ],
]

/** Null where nothing inside shows. */
export function leakIn(text: string, secrets: readonly string[]): string | null {
  const found = inner.find(([, pattern]) => pattern.test(text))
  if (found !== undefined) return `shows ${found[0]}: ${found[1].exec(text)?.[0].slice(0, 200)}`
  return secrets.some((secret) => text.includes(secret)) ? 'shows a secret of the installation' : null
}

/** Statuses with which any server may answer a request that is no proper one, whatever the operation. */
const unproper: ReadonlySet<number> = new Set([400, 404, 405, 408, 413, 414, 415, 417, 431, 501])

export type Judged = {
  operation: Described
  answer: Answer | Broken
  isHarmed: boolean
  /** Whether only some members of each item were asked for, by `fields`. */
  isPart?: boolean
  isHead?: boolean
  secrets: readonly string[]
}

/** What is wrong with an answer, in a sentence; null for nothing. */
export function faultOf({
  operation,
  answer,
  isHarmed,
  isPart = false,
  isHead = false,
  secrets,
}: Judged): string | null {
  const { name } = operation
  // Node ends the connection of a request that is none; a proper one has an answer.
  if ('broken' in answer) return isHarmed ? null : `${name} did not answer: ${answer.broken}`
  const { status, text } = answer
  const said = `${name} answered ${status}`
  const leak = leakIn(text, secrets)
  if (leak !== null) return `${said} and ${leak}`
  if (status >= 500 && !(status === 503 && operation.answersOf(503) !== null)) return `${said}: ${text.slice(0, 300)}`
  const described = operation.answersOf(status)
  if (described === null)
    return isHarmed && unproper.has(status)
      ? errorFault(said, answer)
      : `${said}, which its document does not list: ${text.slice(0, 300)}`
  // The answer to HEAD is that to GET without its body.
  if (isHead) return text === '' ? null : `${said} with a body, to HEAD`
  return bodyFault(said, answer, { described, isPart }) ?? (status >= 400 ? errorFault(said, answer) : null)
}

function bodyFault(
  said: string,
  { headers, text }: Answer,
  { described, isPart }: { described: Readonly<Record<string, ValidateFunction | null>>; isPart: boolean },
): string | null {
  const types = Object.keys(described)
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  if (text === '') return null
  if (types.length === 0) return `${said} with a body, and its document describes none`
  const validate = described[type]
  if (validate === undefined) return `${said} as ${type}, and its document has ${types.join(', ')}`
  if (validate === null) return null
  const body = jsonOf(text)
  if (body === undefined) return `${said} with a body that is no JSON: ${text.slice(0, 200)}`
  if (validate(body)) return null
  const [first] = validate.errors ?? []
  if (isPart && first?.keyword === 'required' && /^\/data\/\d+$/.test(first.instancePath)) return null
  return `${said} with a body that is not its schema's: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`
}

/** Errors have one shape, and one of validation says where. */
function errorFault(said: string, { text, headers }: Answer): string | null {
  // The answer to HEAD is that to GET without its body.
  if (text === '') return null
  if (!(headers.get('content-type') ?? '').includes('json'))
    return text === '' ? null : `${said} as no JSON: ${text.slice(0, 200)}`
  const body = jsonOf(text)
  if (!isObject(body)) return `${said} with an error that is no object`
  if (typeof body['error'] !== 'string' && typeof body['type'] !== 'string')
    return `${said} with an error without a code`
  const { fields } = body
  if (body['error'] === 'validation_failed' && !(isObject(fields) && Object.keys(fields).length > 0))
    return `${said} and names no field: ${text.slice(0, 300)}`
  return null
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
