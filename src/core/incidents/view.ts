// What a location saw of a target in short, whether it was up or down: so that it can be told why locations disagree
// (docs/evidence.md, "Why locations disagree").
import { z } from 'zod'
import type { Evidence } from './evidence.ts'

/** As JSON in UTF-8. */
export const maxViewBytes = 2 * 1024
/** Sealed bytes of the views of a workspace; beyond them the oldest go. */
export const maxViewsOfWorkspaceBytes = 10 * 1024 * 1024
/** Of a monitor: of each of its locations one that was down and one that was not. */
export const maxViewsOfMonitor = 40
const maxAddresses = 8
const maxAnswers = 8

const statuses = ['up', 'down', 'degraded'] as const

/** Everything that its target sent is untrusted text without the secrets of the monitor. */
export const viewSchema = z.strictObject({
  status: z.enum(statuses),
  error: z.string().nullable(),
  failed_assertion: z.string().nullable(),
  failure: z
    .strictObject({ phase: z.string(), code: z.string() })
    .nullable()
    .describe('Where the exchange failed; null if there was an answer.'),
  status_code: z.int().nullable(),
  latency_ms: z.int().nullable(),
  addresses: z.strictObject({
    resolved: z.array(z.string()).max(maxAddresses),
    dialled: z.array(z.string()).max(maxAddresses).describe('The addresses tried, in order.'),
  }),
  certificate: z
    .strictObject({
      subject: z.string(),
      issuer: z.string(),
      not_after: z.string(),
      fingerprint_sha256: z.string(),
    })
    .nullable()
    .describe("The server's own."),
  final_url: z.string().nullable().describe('The last URL that was requested, after redirects, without its query.'),
  protocol: z.string().nullable().describe('Such as HTTP/1.1.'),
  server: z.string().nullable().describe('The header `Server`.'),
  answers: z.array(z.string()).max(maxAnswers).nullable().describe('The records of `dns`.'),
})
export type View = z.infer<typeof viewSchema>

/** What may differ from one location to another, in the order in which it is told. */
export const viewMembers = [
  'status',
  'failure',
  'addresses',
  'answers',
  'certificate',
  'final_url',
  'status_code',
  'protocol',
  'server',
  'latency_ms',
] as const satisfies readonly (keyof View)[]
export type ViewMember = (typeof viewMembers)[number]

/** A view of another release may have members that this one does not know. */
const readableSchema = z.object(viewSchema.shape)

/** Null where it is none: it came from a location, or from a release that wrote it otherwise. */
export function readView(found: unknown): View | null {
  const read = readableSchema.safeParse(found)
  return read.success && isWithin(read.data) ? read.data : null
}

type SeenVerdict = { status: View['status']; latencyMs: number | null }

/** The same in short, within 2 KB. Evidence of a check that succeeded is only made for this. */
export function viewOf({ status, latencyMs }: SeenVerdict, evidence: Evidence): View {
  const { addresses, answer, tls, details } = evidence
  const [leaf] = tls?.chain ?? []
  const view: View = {
    status,
    error: evidence.error === null ? null : cut(evidence.error, maxError),
    failed_assertion: evidence.failed_assertion,
    failure: evidence.failure ?? unanswered(details),
    status_code: evidence.status_code,
    latency_ms: latencyMs,
    addresses: {
      // Name servers turn the order round, and the same ones are to be kept of many.
      resolved: addresses.resolved.toSorted().slice(0, maxAddresses),
      dialled: addresses.dialled.slice(0, maxAddresses),
    },
    certificate: leaf === undefined ? null : certificateOf(leaf),
    final_url: answer === null ? null : withoutQuery(answer.url),
    protocol: answer === null ? null : (/^HTTP\/[\d.]{1,3}/.exec(answer.status_line)?.[0] ?? null),
    server: serverOf(answer),
    answers: answersOf(details),
  }
  return fitted(view)
}

const maxError = 300
const maxUrl = 300
const maxText = 100

/** A check of records that got no answer says which it asked for, and nothing of answers. */
function unanswered({ record_type: type, answers }: Record<string, unknown>): View['failure'] {
  return typeof type === 'string' && answers === undefined ? { phase: 'dns', code: 'no_answer' } : null
}

/** The records that `dns` found, in the order of their text; null for other kinds. */
export function answersOf(details: Record<string, unknown>): string[] | null {
  const { answers } = details
  return Array.isArray(answers) ? answers.map(String).toSorted() : null
}

function certificateOf({
  subject,
  issuer,
  not_after: end,
  fingerprint_sha256: fingerprint,
}: Leaf): View['certificate'] {
  return {
    subject: cut(subject, maxText),
    issuer: cut(issuer, maxText),
    not_after: end,
    fingerprint_sha256: fingerprint,
  }
}

type Leaf = NonNullable<Evidence['tls']>['chain'][number]

/** A query may be made for one visitor, so that it says nothing of where redirects end. */
function withoutQuery(url: string): string {
  return cut(url.replace(/[?#].*$/s, ''), maxUrl)
}

function serverOf(answer: Evidence['answer']): string | null {
  const found = answer?.headers.find(({ name }) => name === 'server')
  return found === undefined ? null : cut(found.value, maxText)
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text
}

/** What many bytes say least gives way first. */
function fitted(view: View): View {
  let fitting: View = { ...view, answers: view.answers?.slice(0, maxAnswers).map((each) => cut(each, maxText)) ?? null }
  for (const shorten of [cutTexts, dropSome, dropTexts]) {
    if (isWithin(fitting)) return fitting
    fitting = shorten(fitting)
  }
  return fitting
}

function cutTexts(view: View): View {
  const { error, final_url: url, server, answers } = view
  return {
    ...view,
    error: error === null ? null : cut(error, maxText),
    final_url: url === null ? null : cut(url, maxText),
    server: server === null ? null : cut(server, shortText),
    answers: answers?.map((each) => cut(each, shortText)) ?? null,
  }
}

const shortText = 30

function dropSome(view: View): View {
  const { addresses, answers, certificate } = view
  return {
    ...view,
    addresses: { resolved: addresses.resolved.slice(0, 2), dialled: addresses.dialled.slice(0, 2) },
    answers: answers?.slice(0, 2) ?? null,
    certificate:
      certificate === null
        ? null
        : { ...certificate, subject: cut(certificate.subject, shortText), issuer: cut(certificate.issuer, shortText) },
  }
}

function dropTexts(view: View): View {
  const { failed_assertion: assertion } = view
  return {
    ...view,
    error: null,
    failed_assertion: assertion === null ? null : cut(assertion, shortText),
    final_url: null,
    server: null,
    addresses: { resolved: [], dialled: [] },
    answers: null,
    certificate: null,
  }
}

function isWithin(view: View): boolean {
  return Buffer.byteLength(JSON.stringify(view)) <= maxViewBytes
}

export const monitorViewSchema = z.strictObject({
  location_code: z.string(),
  location_name: z.string(),
  seen_at: z.iso.datetime().describe('The time of the round in which the location saw it.'),
  ...viewSchema.shape,
})
export type MonitorView = z.infer<typeof monitorViewSchema>

export const monitorViewsSchema = z.strictObject({
  disagreement: z
    .string()
    .nullable()
    .describe('Why the locations disagree, in a sentence; null where none of them is down, or all are.'),
  differs: z.array(z.enum(viewMembers)).describe('The members in which any two views differ.'),
  views: z.array(monitorViewSchema).max(maxViewsOfMonitor).describe('By location.'),
})
export type MonitorViews = z.infer<typeof monitorViewsSchema>
