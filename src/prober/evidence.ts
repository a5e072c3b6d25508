// A failure as it is kept: what the check saw, without the monitor's secrets (docs/evidence.md).
import {
  type Evidence,
  fitEvidence,
  maxAddresses,
  maxChain,
  maxHeaders,
  maxNames,
  maxOfPage,
  maxPictureLength,
  type SeenCertificate,
} from '#core/incidents/evidence.ts'
import { mask } from '#core/language/mask.ts'
import { redact } from '#core/language/redact.ts'
import type { Verdict } from '#core/results/result.ts'
import { decodeText } from '#kinds/web/charset.ts'
import type { SeenAnswer, SeenPage, Sight } from '#net/ground/sight.ts'
import { decodeSeenBody } from '#net/http/seen-body.ts'
import type { PeerCertificate } from '#net/tls/certificate.ts'

/** Looking for more would hold the other checks up, so that what the target sent is left out instead. */
const maxSecretLength = 64 * 1024
const maxHeaderLength = 1_000
const maxHeadersLength = 12_000
const maxUrlLength = 2_048
const maxNameLength = 200
/** Of a text's characters: with more that cannot be read it is none. */
const unreadablePart = 0.1

export type Failure = {
  verdict: Verdict
  sight: Sight
  /** As `secretsOf` finds them. */
  secrets: readonly string[]
  /** False for addresses that are not to be told to who reads the results. */
  isShown: (address: string) => boolean
}

/** Null where the secrets cannot be taken out of it. */
export async function evidenceOf({ verdict, sight, secrets: known, isShown }: Failure): Promise<Evidence | null> {
  const { error, statusCode, phases, details } = verdict
  const { failed_assertion: assertion } = details
  const { answer, tls, failure, page } = sight
  const secrets = [...known, ...sight.secrets]
  const isBounded = secrets.reduce((sum, { length }) => sum + length, 0) <= maxSecretLength
  const shown = (addresses: readonly string[]): string[] => addresses.filter(isShown).slice(0, maxAddresses)
  const whole: Evidence = {
    error,
    failed_assertion: typeof assertion === 'string' ? assertion : null,
    failure: failure === null ? null : { phase: failure.phase, code: failure.code },
    status_code: statusCode,
    phases: {
      dns_ms: phases.dnsMs,
      connect_ms: phases.connectMs,
      tls_ms: phases.tlsMs,
      ttfb_ms: phases.ttfbMs,
      transfer_ms: phases.transferMs,
    },
    addresses: { resolved: shown(sight.resolved), dialled: shown(sight.dialled) },
    tls:
      tls === null
        ? null
        : { protocol: tls.protocol, cipher: tls.cipher, chain: tls.chain.slice(0, maxChain).map(certificateOf) },
    answer: answer === null || !isBounded ? null : await answerOf(answer, sight.keepsBodies),
    details: isBounded ? details : {},
    log: null,
    page: page === null || !isBounded ? null : pageOf(page),
  }
  const hidden = withoutSecrets(whole, secrets)
  return hidden === null ? null : withPicture(fitEvidence(hidden), sight)
}

function certificateOf(certificate: PeerCertificate): SeenCertificate {
  return {
    subject: certificate.subject.slice(0, maxNameLength),
    issuer: certificate.issuer.slice(0, maxNameLength),
    names: certificate.names.slice(0, maxNames).map((name) => name.slice(0, maxNameLength)),
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    serial: certificate.serial.slice(0, maxNameLength),
    fingerprint_sha256: certificate.fingerprint256,
  }
}

function pageOf({ consoleErrors, failedRequests, stepsMs }: SeenPage): NonNullable<Evidence['page']> {
  return {
    console_errors: consoleErrors.slice(0, maxOfPage),
    failed_requests: failedRequests.slice(0, maxOfPage),
    steps_ms: stepsMs,
    picture: null,
    picture_note: 'Not kept, because the monitor sends secrets.',
  }
}

/** In a picture no secret can be found, so that there is none where any may be seen. */
function withPicture(evidence: Evidence, { page: seen, keepsBodies }: Sight): Evidence {
  const { page } = evidence
  if (page === null || seen === null || !keepsBodies) return evidence
  const picture = seen.picture !== null && seen.picture.length <= maxPictureLength ? seen.picture : null
  return { ...evidence, page: { ...page, picture, picture_note: picture === null ? 'None could be taken.' : null } }
}

/** Credentials, whoever they are of. */
const secretHeaders = new Set([
  'authentication-info',
  'authorization',
  'cookie',
  'proxy-authentication-info',
  'proxy-authorization',
  'set-cookie',
  'set-cookie2',
])

async function answerOf(answer: SeenAnswer, keepsBodies: boolean): Promise<NonNullable<Evidence['answer']>> {
  const headers = Object.entries(answer.headers).slice(0, maxHeaders)
  return {
    url: answer.url.replace(/^(\w+:\/\/)[^/@]*@/, `$1${mask}@`),
    status_line: answer.statusLine,
    headers: headers.map(([name, value]) => ({ name, value: secretHeaders.has(name) ? mask : value })),
    ...(keepsBodies ? await bodyOf(answer) : { body: null, body_note: 'Not kept, because the monitor sends secrets.' }),
  }
}

type Body = Pick<NonNullable<Evidence['answer']>, 'body' | 'body_note'>

async function bodyOf(answer: SeenAnswer): Promise<Body> {
  if (!answer.hasBody)
    return { body: null, body_note: 'Not kept, because the status was as expected, or was told with its body before.' }
  const decoded = await decodeSeenBody(answer)
  if (decoded === null) return { body: null, body_note: 'It could not be decoded.' }
  const body = decodeText(decoded.bytes, answer.headers)
  const unreadable = body.match(/[^\P{C}\n\r\t]|\ufffd/gu)?.length ?? 0
  if (unreadable > body.length * unreadablePart)
    return { body: null, body_note: `Not kept, because its ${decoded.bytes.length} bytes are no text.` }
  return { body, body_note: decoded.isCut ? 'Only the beginning is kept.' : null }
}

const separator = '\0'

/**
 * All texts are searched as one, because that is a search for each secret, and not one for each secret and text. Texts
 * are cut after it, so that no beginning of a secret stays.
 */
function withoutSecrets(evidence: Evidence, secrets: readonly string[]): Evidence | null {
  const texts: string[] = []
  changeTexts(evidence, (text) => {
    texts.push(text.replaceAll(separator, '\ufffd'))
    return text
  })
  const hidden = texts.length === 0 ? [] : redact(texts.join(separator), secrets).split(separator)
  if (hidden.length !== texts.length) return null
  let at = 0
  const changed = changeTexts(evidence, (text) => readable(hidden[at++] ?? text))
  const { answer } = changed
  if (answer === null) return changed
  const headers = firstHeaders(answer.headers)
  const statusLine = cut(answer.status_line, maxHeaderLength)
  return { ...changed, answer: { ...answer, url: cut(answer.url, maxUrlLength), status_line: statusLine, headers } }
}

type Header = { name: string; value: string }

function firstHeaders(headers: readonly Header[]): Header[] {
  let room = maxHeadersLength
  return headers
    .map(({ name, value }) => ({ name: cut(name, maxHeaderLength), value: cut(value, maxHeaderLength) }))
    .filter(({ name, value }) => (room -= name.length + value.length) >= 0)
}

/** The same with each text changed, in an order that is always the same. */
function changeTexts<Value>(value: Value, change: (text: string) => string): Value
function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => changeTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changeTexts(member, change)]))
}

/** Control characters would steer the terminal of who reads it, and others turn its direction. */
function readable(text: string): string {
  if (isPlain(text)) return text
  return text.toWellFormed().replaceAll(/[^\P{C}\n\r\t]/gu, '\ufffd')
}

/**
 * Printable ASCII and white space, as most texts are. A mask beside them makes V8 keep all texts as UTF-16, where a
 * search for categories takes half a millisecond in 16 KB, and this one a twentieth of it.
 */
function isPlain(text: string): boolean {
  return !/[^\n\r\t\x20-\x7e]/.test(text)
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text
}
