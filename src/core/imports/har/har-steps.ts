// Exchanges of a recording as the steps of a transaction.
import type { Findings } from '#core/imports/findings.ts'
import { readAs } from '#core/imports/import-json.ts'
import { headersOf, methodOf, shown } from '#core/imports/monitor-parts.ts'
import { readMultipart, writeMultipart } from '#core/imports/requests/multipart.ts'
import { type Rewrite, rewriteAddress, rewriteForm, rewriteJson } from '#core/imports/requests/rewriting.ts'
import { isRandomLooking, isSecretName } from '#core/imports/requests/secret-values.ts'
import { type RequestStep, type StepSecret, withinSteps } from '#core/imports/requests/transaction.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'
import { createHandedOut, type HandedOut } from './har-answers.ts'
import type { Exchange } from './har-exchanges.ts'
import { type HarPostData, headersSchema, postDataSchema } from './har-rows.ts'

export type HarSteps = { steps: RequestStep[]; secrets: StepSecret[]; ms: number; isComplete: boolean }

/** `isComplete` is false where a secret was left out, without which a step cannot do what it did. */
export function harSteps(exchanges: readonly Exchange[], findings: Findings): HarSteps {
  const sent = exchanges.map(sentBy)
  const fitting = withinSteps(sent, { place: 'log.entries', findings })
  const [first] = fitting
  if (first !== undefined) noteCookies(first, findings)
  const handedOut = createHandedOut()
  const steps: RequestStep[] = []
  let isComplete = true
  for (const [index, each] of fitting.entries()) {
    const { step, missing } = stepOf(each, { number: index + 1, handedOut, findings })
    if (missing.length > 0) isComplete = false
    steps.push(step)
    handedOut.learn(each.exchange.answered, step, each.place)
  }
  return {
    steps,
    secrets: handedOut.secrets(),
    ms: fitting.reduce((sum, { exchange }) => sum + exchange.ms, 0),
    isComplete,
  }
}

type Sent = {
  exchange: Exchange
  place: string
  address: string
  headers: Map<string, string>
  body: string | null
  form: HarPostData | null
}

function sentBy(exchange: Exchange): Sent {
  const { place, url, request } = exchange
  const listed = readAs(request.headers ?? null, headersSchema, `${place}.request.headers`) ?? []
  const headers = new Map(listed.map(({ name, value }) => [name.toLowerCase(), value]))
  const form = readAs(request.postData ?? null, postDataSchema, `${place}.request.postData`) ?? null
  return { exchange, place, address: url.href, headers, body: form === null ? null : bodyOf(form), form }
}

/** Programs write the text of a form, its fields, or both. */
function bodyOf({ text, mimeType, params }: HarPostData): string | null {
  if (text !== null && text !== undefined && text !== '') return text
  if (!params?.length) return null
  if (/^\s*multipart\/form-data\b/i.test(mimeType)) return params.map(({ value }) => value).join('')
  return new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value])).toString()
}

/** A transaction begins as a visitor of whom nothing is known. */
function noteCookies({ headers, place }: Sent, findings: Findings): void {
  if (headers.get('cookie') !== undefined)
    findings.changed(
      place,
      'The recording begins with cookies of an earlier visit, and a transaction without any. If the visitor was signed in, record again in a private window, with the sign-in.',
    )
}

type Stepping = { number: number; handedOut: HandedOut; findings: Findings }
type Found = {
  /** Names of secrets that are kept encrypted. */
  sealed: string[]
  /** Names of secrets that are left out. */
  missing: string[]
  /** Names of values that may be of the session that was recorded. */
  recorded: string[]
}

function stepOf(sent: Sent, { number, handedOut, findings }: Stepping): { step: RequestStep } & Found {
  const { exchange, place } = sent
  const where = { place, findings }
  const found: Found = { sealed: [], missing: [], recorded: [] }
  const rewrite: Rewrite = (name, value) => {
    const taken = handedOut.take(value)
    if (taken !== null) return taken
    if (value !== '' && isSecretName(name)) {
      const sealed = handedOut.seal(name, value)
      found[sealed === null ? 'missing' : 'sealed'].push(name)
      return sealed ?? ''
    }
    if (isRandomLooking(value) && (name !== '' || handedOut.isIncomplete())) found.recorded.push(name)
    return value
  }
  const { body, type } = rewrittenBody(sent, rewrite, where)
  const kept = [...sentHeaders(sent, handedOut)].map(([name, value]): [string, string] =>
    name === 'content-type' && type !== null ? [name, type] : [name, value],
  )
  for (const [name, value] of kept)
    if (isSecretName(name) && !value.includes('{{'))
      findings.changed(
        place,
        `Step ${number} sends the header ${shown(name)} that was recorded, kept as a secret. The step fails once it expires.`,
      )
  const address = rewriteAddress(sent.address, rewrite)
  noteFound(found, number, where)
  return {
    ...found,
    step: {
      name: null,
      address,
      method: methodOf(exchange.request.method, where),
      headers: headersOf(kept, where),
      body,
      statuses: statusesOf(exchange, number, where),
      captures: [],
      expectations: {},
    },
  }
}

type Where = { place: string; findings: Findings }

function noteFound({ sealed, missing, recorded }: Found, number: number, { place, findings }: Where): void {
  if (sealed.length > 0)
    findings.changed(
      place,
      `Step ${number} sends secrets that were recorded, kept encrypted: ${namesOf(sealed)}. Those of an account that is made for this check are better.`,
    )
  if (missing.length > 0)
    findings.lost(
      place,
      `Secrets are too long or too many to be imported: ${namesOf(missing)} of step ${number}. Until you fill them in the monitor is paused.`,
    )
  if (recorded.length > 0)
    findings.changed(
      place,
      `Step ${number} sends values as they were recorded: ${namesOf(recorded)}. If they change from visit to visit, capture them in an earlier step.`,
    )
}

const mostNames = 5

function namesOf(names: readonly string[]): string {
  const different = [...new Set(names.map((name) => (name === '' ? 'a part of its path' : `"${shown(name)}"`)))]
  const more = different.length - mostNames
  return different.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** What a check sends itself, what only this visit had, and what says how a browser came to its request. */
const ownHeader =
  /^(?::.*|cookie|host|connection|keep-alive|content-length|transfer-encoding|te|expect|upgrade.*|proxy-.*|accept-encoding|user-agent|sec-.*|if-.*|range|cache-control|pragma|priority|purpose|dnt|save-data|alt-used|traceparent|tracestate|baggage|sentry-trace|x-request-id|x-correlation-id|x-b3-.*|x-datadog-.*|newrelic|x-client-data)$/

function* sentHeaders({ headers, exchange }: Sent, { take }: HandedOut): Generator<[name: string, value: string]> {
  const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD'
  for (const [name, value] of headers) {
    if (ownHeader.test(name) || (isRead && name === 'referer')) continue
    // Some servers ask a form where it came from, for which its query is not needed.
    if (name === 'referer') yield [name, value.replace(/[?#].*$/s, '')]
    else yield [name, withTaken(value, take)]
  }
}

function withTaken(value: string, take: HandedOut['take']): string {
  const whole = take(value)
  if (whole !== null) return whole
  const [, scheme, token = ''] = /^(\S+) (\S+)$/.exec(value) ?? []
  const taken = take(token)
  return taken === null ? value : `${scheme} ${taken}`
}

/** `type` is null where the type of the body stays as it was. */
function rewrittenBody(
  { exchange, body, form, headers }: Sent,
  rewrite: Rewrite,
  where: Where,
): { body: string | null; type: string | null } {
  if (body === null) {
    if ((exchange.request.bodySize ?? 0) > 0)
      where.findings.lost(where.place, 'The file does not hold the body that was sent. Fill it in.')
    return { body, type: null }
  }
  const type = headers.get('content-type') ?? form?.mimeType ?? ''
  if (/^\s*application\/x-www-form-urlencoded\b/i.test(type)) return { body: rewriteForm(body, rewrite), type: null }
  if (/^\s*multipart\/form-data\b/i.test(type)) return multipartBody({ body, form, type }, rewrite, where)
  return { body: rewriteJson(body, rewrite) ?? body, type: null }
}

function multipartBody(
  { body, form, type }: { body: string; form: HarPostData | null; type: string },
  rewrite: Rewrite,
  { place, findings }: Where,
): { body: string; type: string } {
  const listed = (form?.params ?? []).map(({ name, value, fileName = null }) => ({
    name,
    value,
    isFile: fileName !== null,
  }))
  const read = readMultipart(body, type)
  const fields = (read.length === 0 ? listed : read).filter(({ name, isFile }) => {
    if (isFile) findings.lost(place, `The file "${shown(name)}" that was sent is left out.`)
    return !isFile
  })
  return writeMultipart(fields.map(({ name, value }) => ({ name, value: rewrite(name, value) })))
}

function statusesOf({ answered }: Exchange, number: number, { place, findings }: Where): StatusRange[] {
  const status = answered.response?.status ?? 0
  // What a browser had in its cache, a check gets whole.
  if (status === 304) return [[200, 200]]
  // Where it led is not in the file.
  if (status < 200 || status > 599 || (status >= 300 && status <= 399)) return []
  if (status >= 400)
    findings.changed(place, `Step ${number} was answered with the status ${status}, which is what it now expects.`)
  return [[status, status]]
}
