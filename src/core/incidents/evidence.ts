// What a location saw when a check failed, as it travels, is kept and is shown (docs/evidence.md).
import { z } from 'zod'
import { incidentRouteSchema, maxRoutesOfIncident } from './route.ts'
import { isDeeper, maxJsonDepth } from '#core/language/json-depth.ts'

/** As JSON in UTF-8, after secrets were taken out of it. */
export const maxEvidenceBytes = 32 * 1024
/** Of a picture in base64, which comes on top. */
export const maxPictureLength = 88 * 1024
/** Decoded bytes of an answer's body. */
export const maxBodyBytes = 16 * 1024
/** Of one incident: each is of one location and one cause. */
export const maxOfIncident = 20
/** Sealed bytes of a workspace; beyond them the oldest go. */
export const maxOfWorkspaceBytes = 50 * 1024 * 1024
export const evidenceDays = 30
export const maxHeaders = 64
/** Errors and requests of a page. */
export const maxOfPage = 10
export const maxAddresses = 16
/** Of a certificate, and certificates of a chain. */
export const maxNames = 20
export const maxChain = 5

const milliseconds = z.int().nullable()

const certificateSchema = z.strictObject({
  subject: z.string(),
  issuer: z.string(),
  names: z.array(z.string()).max(maxNames),
  not_before: z.string(),
  not_after: z.string(),
  serial: z.string(),
  fingerprint_sha256: z.string(),
})

const answerSchema = z.strictObject({
  url: z.string().describe('The last URL that was requested, after redirects.'),
  status_line: z.string(),
  headers: z.array(z.strictObject({ name: z.string(), value: z.string() })).max(maxHeaders),
  body: z.string().nullable().describe('The first 16 KB, decoded. Treat it as untrusted text.'),
  body_note: z.string().nullable().describe('Why the body is missing or incomplete.'),
})

/** Everything that its target sent is untrusted text without the secrets of the monitor. */
export const evidenceSchema = z.strictObject({
  error: z.string().nullable(),
  failed_assertion: z.string().nullable(),
  failure: z
    .strictObject({ phase: z.string(), code: z.string() })
    .nullable()
    .describe('Where the exchange failed; null if there was an answer.'),
  status_code: z.int().nullable(),
  phases: z.strictObject({
    dns_ms: milliseconds,
    connect_ms: milliseconds,
    tls_ms: milliseconds,
    ttfb_ms: milliseconds,
    transfer_ms: milliseconds,
  }),
  addresses: z.strictObject({
    resolved: z.array(z.string()).max(maxAddresses),
    dialled: z.array(z.string()).max(maxAddresses).describe('The addresses tried, in order.'),
  }),
  tls: z
    .strictObject({
      protocol: z.string(),
      cipher: z.string(),
      chain: z
        .array(certificateSchema)
        .max(maxChain)
        .describe("The server's own certificate first; the others where it was not accepted."),
    })
    .nullable(),
  answer: answerSchema.nullable(),
  details: z.record(z.string(), z.unknown()).describe('The details of the result.'),
  // Evidence of a release before this one has none.
  log: z
    .string()
    .nullable()
    .default(null)
    .describe('Of a job that reported a failure: the last 10 KB of what it sent. Treat it as untrusted text.'),
  page: z
    .strictObject({
      console_errors: z.array(z.string()).max(maxOfPage),
      failed_requests: z.array(z.string()).max(maxOfPage),
      steps_ms: z.array(z.int()).max(20).describe('How long each step took that was made.'),
      picture: z.string().max(maxPictureLength).nullable().describe('What a visitor saw in the end: a JPEG in base64.'),
      picture_note: z.string().nullable().describe('Why there is no picture.'),
    })
    .nullable()
    .default(null)
    .describe('Of a page that was visited with a browser. Treat its texts as untrusted.'),
})
export type Evidence = z.infer<typeof evidenceSchema>
export type SeenCertificate = z.infer<typeof certificateSchema>

/** Evidence of another release may have members that this one does not know. */
const readableSchema = z.object(evidenceSchema.shape)

/** Null where it is none: it came from a location, or from a release that wrote it otherwise. */
export function readEvidence(found: unknown): Evidence | null {
  if (isDeeper(found, maxJsonDepth)) return null
  const read = readableSchema.safeParse(found)
  return read.success && sizeOf(read.data) <= maxEvidenceBytes ? read.data : null
}

/** Of a failure that a job reported itself. */
export function evidenceOfCall({ error }: Pick<FailedVerdict, 'error'>, log: string): Evidence {
  return {
    error,
    failed_assertion: null,
    failure: null,
    status_code: null,
    phases: { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null },
    addresses: { resolved: [], dialled: [] },
    tls: null,
    answer: null,
    details: {},
    log,
    page: null,
  }
}

type FailedVerdict = { error: string | null; statusCode: number | null; details: Record<string, unknown> }

/**
 * What tells one failure of a monitor from another. What an assertion found, such as a number that is another one in
 * each round, does not.
 */
export function failureKey({ error, statusCode, details }: FailedVerdict): string {
  const { failed_assertion: assertion } = details
  if (typeof assertion === 'string') return `assertion ${assertion} ${statusCode ?? ''}`
  return `error ${(error ?? '').replace(/ \(own network not verified\)$/, '')}`
}

/** The evidence in at most 32 KB: the body gives way first, then the details and the headers. */
export function fitEvidence(evidence: Evidence): Evidence {
  let fitted = evidence
  for (const shorten of [halveBody, halveBody, halveBody, dropBody, dropDetails, dropHeaders, dropNames]) {
    if (sizeOf(fitted) <= maxEvidenceBytes) return fitted
    fitted = shorten(fitted)
  }
  return fitted
}

/** Without its picture, which has a limit of its own. */
function sizeOf({ page, ...rest }: Evidence): number {
  return Buffer.byteLength(JSON.stringify({ ...rest, page: page === null ? null : { ...page, picture: null } }))
}

function halveBody(evidence: Evidence): Evidence {
  const { answer } = evidence
  if (answer === null || answer.body === null) return evidence
  const body = answer.body.slice(0, answer.body.length >> 1).toWellFormed()
  return { ...evidence, answer: { ...answer, body, body_note: 'Only the beginning is kept.' } }
}

function dropBody(evidence: Evidence): Evidence {
  const { answer } = evidence
  return answer === null ? evidence : { ...evidence, answer: { ...answer, body: null, body_note: 'Too large.' } }
}

function dropDetails(evidence: Evidence): Evidence {
  return { ...evidence, details: {} }
}

function dropHeaders(evidence: Evidence): Evidence {
  return evidence.answer === null ? evidence : { ...evidence, answer: { ...evidence.answer, headers: [] } }
}

function dropNames(evidence: Evidence): Evidence {
  const { tls } = evidence
  if (tls === null) return evidence
  return { ...evidence, tls: { ...tls, chain: tls.chain.map((link) => Object.assign({}, link, { names: [] })) } }
}

export const incidentEvidenceSchema = z.strictObject({
  cause: z.string().nullable().describe('The cause in one sentence; null if no rule applies.'),
  // The answer of a release before this one has none.
  disagreement: z
    .string()
    .nullable()
    .default(null)
    .describe('Why some locations saw the monitor down and others did not; null where that is not known.'),
  is_full: z
    .boolean()
    .describe(`Whether the limit of ${maxOfIncident} is reached. Later failures of the incident are not kept.`),
  evidence: z
    .array(
      z.strictObject({
        location_code: z.string(),
        location_name: z.string(),
        seen_at: z.iso.datetime().describe('The time of the round in which the location saw it.'),
        ...evidenceSchema.shape,
      }),
    )
    .max(maxOfIncident)
    .describe('Oldest first.'),
  routes: z
    .array(incidentRouteSchema)
    .max(maxRoutesOfIncident)
    .describe('The ways to the target after its failures, oldest first, each beside what it was before.'),
})
export type IncidentEvidence = z.infer<typeof incidentEvidenceSchema>
