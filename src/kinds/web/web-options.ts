import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { headerName } from '#core/monitors/request-headers.ts'
import {
  jsonataProblem,
  jsonSchemaProblem,
  maxPatternLength,
  patternProblem,
  selectorProblem,
} from './expectation-problems.ts'
import { checkSignIn, signInOptions } from '#kinds/sign-in/sign-in-options.ts'
import { certificatesProblem, clientProblem } from './pem.ts'
import { checkRoute, routeOptions, secretRoutes } from './route-options.ts'
import { webTargetProblem } from './web-target.ts'

export const pattern = text({ min: 1, max: maxPatternLength }).superRefine(problemOf(patternProblem, maxPatternLength))

/** Longer texts than `max` are refused for that alone. */
function problemOf(find: (given: string) => string | null, max: number) {
  return (given: string, context: z.RefinementCtx<string>): void => {
    const problem = given.length > max ? null : find(given)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  }
}

const expectedHeader = z
  .strictObject({
    name: headerName.describe('Its name, in upper or lower case.'),
    match: z
      .enum(['equals', 'contains', 'matches', 'present', 'absent'])
      .optional()
      .describe(
        'Whether it has this value, has a value that contains this text or that this regular expression finds something in, is there, or is not there.',
      )
      .meta({ default: 'equals' }),
    value: text({ max: 1000 })
      .optional()
      .describe(
        'The value, a part of it, or a pattern for it, in upper and lower case as here. Repeated headers are joined by ", ".',
      ),
  })
  .superRefine(checkHeaderValue)
export type ExpectedHeader = z.infer<typeof expectedHeader>

function checkHeaderValue({ match = 'equals', value }: ExpectedHeader, context: z.RefinementCtx): void {
  const isCompared = match !== 'present' && match !== 'absent'
  if (isCompared === (value !== undefined)) {
    const problems = match === 'matches' ? (pattern.safeParse(value).error?.issues ?? []) : []
    for (const { message } of problems) context.addIssue({ code: 'custom', path: ['value'], message })
    return
  }
  refuseValue(isCompared, context)
}

const maxExpressionLength = 2000

const expectedElement = z
  .strictObject({
    selector: text({ min: 1, max: 500 })
      .superRefine(problemOf(selectorProblem, 500))
      .describe('A CSS selector, such as `main h1` or `a[href="/cart"]`.'),
    match: z
      .enum(['present', 'absent', 'equals', 'contains'])
      .optional()
      .describe(
        'Whether an element must be there, none may be there, or the text of one must be this value or contain it.',
      )
      .meta({ default: 'present' }),
    value: text({ max: 1000 })
      .optional()
      .describe('The text, or a part of it, in upper and lower case as here. White space counts as one space.'),
  })
  .superRefine(checkElementValue)

function checkElementValue(
  { match = 'present', value }: z.infer<typeof expectedElement>,
  context: z.RefinementCtx,
): void {
  const isCompared = match === 'equals' || match === 'contains'
  if (isCompared !== (value !== undefined)) refuseValue(isCompared, context)
}

function refuseValue(isCompared: boolean, context: z.RefinementCtx): void {
  const message = isCompared ? 'This field is required.' : 'Must be left out: the value does not matter.'
  context.addIssue({ code: 'custom', path: ['value'], message })
}

const sha256 = /^(?:[0-9a-f]{2}:?){31}[0-9a-f]{2}$/i

/** What http, api and each step of a transaction may expect of an answer. */
export const expectations = {
  json_path: text({ min: 1, max: 500 })
    .optional()
    .describe(
      'Where the body, which has to be JSON, must have a value. Members and places in lists, dot-separated: at most 32, none empty.',
    ),
  expected_value: z
    .unknown()
    .optional()
    .describe(
      'Any JSON, with the other options at most 64 kB: the value at the JSON path must equal it, type included. Without it any value will do.',
    ),
  max_latency_ms: z
    .int()
    .min(100)
    .max(60_000)
    .optional()
    .describe('Degraded when a correct answer took more than so many milliseconds.'),
  absent_keyword: text({ min: 1, max: 2000 }).optional().describe('Text that the body must not contain.'),
  body_pattern: pattern
    .optional()
    .describe(
      'Regular expression in the syntax of RE2 that must be found in the body, in its first 2 MiB. At most 200 steps long.',
    ),
  absent_pattern: pattern
    .optional()
    .describe('Regular expression in the syntax of RE2 that must not be found in the body. At most 200 steps long.'),
  json_schema: z
    .record(z.string(), z.unknown())
    .superRefine(checkSchema)
    .optional()
    .describe(
      'A JSON Schema that the body must fit, of draft 2020-12 unless `$schema` names an earlier one. A `$ref` leads to a part of it.',
    ),
  jsonata: text({ min: 1, max: maxExpressionLength })
    .superRefine(problemOf(jsonataProblem, maxExpressionLength))
    .optional()
    .describe('An expression of JSONata that must give true for the body, such as `$count(orders) > 0`.'),
  expected_elements: z
    .array(expectedElement)
    .max(10)
    .optional()
    .describe('Elements of the page, or of an XML document, as they must be.'),
  expected_headers: z.array(expectedHeader).max(10).optional().describe('Headers of the answer, as they must be.'),
  final_url: text({ min: 1, max: 2048 })
    .superRefine(checkFinalUrl)
    .optional()
    .describe('Where the answer must come from after all redirects.'),
  expected_http_version: z
    .enum(['1.1', '2'])
    .optional()
    .describe('The version of HTTP by which the answer must come. For `2` it has to be offered.'),
  body_sha256: z
    .string()
    .regex(/^[0-9A-Fa-f]{64}$/, 'Must be 64 hexadecimal digits.')
    .optional()
    .describe('The SHA-256 of the body, which must not change; of at most 2 MiB.'),
  certificate_sha256: z
    .string()
    .regex(sha256, 'Must be 64 hexadecimal digits, with or without colons.')
    .optional()
    .describe('The SHA-256 fingerprint of the certificate, which must not change.'),
}

function checkSchema(schema: object, context: z.RefinementCtx): void {
  const problem = jsonSchemaProblem(schema)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
}

function checkFinalUrl(url: string, context: z.RefinementCtx<string>): void {
  const problem = webTargetProblem(url, () => false)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
}

export const needsPath = { path: ['expected_value'], message: 'Needs a JSON path, which says where the value is.' }

/** Says the same to readers of the JSON Schema. */
export const valueNeedsPath = { dependentRequired: { expected_value: ['json_path'] } }

export function hasPathForValue(options: { json_path?: string | undefined; expected_value?: unknown }): boolean {
  return options.expected_value === undefined || options.json_path !== undefined
}

/** How http, api and all steps of a transaction reach their servers, and what the whole check then means. */
export const ways = {
  ...signInOptions,
  ...routeOptions,
  certificate_authorities: text({ min: 1, max: 40_000 })
    .superRefine(checkCertificates)
    .optional()
    .describe("In PEM: the only authorities that the certificate of the target's host may be of."),
  client_certificate: text({ min: 1, max: 20_000 })
    .superRefine(checkClient)
    .optional()
    .describe(
      "In PEM, with its private key: shown where the target's host asks for a certificate; kept encrypted and never returned.",
    ),
  accept_any_certificate: z
    .boolean()
    .optional()
    .describe("Whether the certificate of the target's host need not be valid. Its end is still told. Default false.")
    .meta({ default: false }),
  inverted: z
    .boolean()
    .optional()
    .describe('Whether a check that fails is up, and one that succeeds is down. Default false.')
    .meta({ default: false }),
}

function checkCertificates(given: string, context: z.RefinementCtx<string>): void {
  const problem = certificatesProblem(given)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
}

function checkClient(given: string, context: z.RefinementCtx<string>): void {
  const problem = clientProblem(given)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
}

/** Secret ones among them. */
export const secretWays = ['client_certificate', 'sign_in_secret', ...secretRoutes]

export type Ways = z.infer<z.ZodObject<typeof ways>>

export function checkWays(options: Ways, context: z.RefinementCtx): void {
  checkSignIn(options, context)
  checkRoute(options, context)
}

type Versions = { expected_http_version?: '1.1' | '2' | undefined; http2?: boolean | undefined }

/** `path` leads to where the version stands. */
export function checkVersion(options: Versions, context: z.RefinementCtx, path: readonly PropertyKey[] = []): void {
  if (options.expected_http_version !== '2' || options.http2 === true) return
  const message = 'Needs http2 to be true, so that servers may choose it.'
  context.addIssue({ code: 'custom', path: [...path, 'expected_http_version'], message })
}

const resumeTls = z
  .boolean()
  .optional()
  .describe(
    'Whether checks with GET and HEAD take up the TLS session of the check before. Each tenth makes a full handshake, and so does each after one that was not up. Default: as the location is set, which is false unless its operator says otherwise.',
  )

export const apiOptions = z
  .strictObject({ ...expectations, ...ways, resume_tls: resumeTls })
  .refine(hasPathForValue, needsPath)
  .superRefine(checkWeb)
  .meta({ ...valueNeedsPath, description: 'An HTTP API: the status, text, JSON value and time of an answer.' })

export const httpOptions = z
  .strictObject({
    ...expectations,
    ...ways,
    resume_tls: resumeTls,
    headers_only: z
      .boolean()
      .optional()
      .describe('Stop after the headers of the answer. Ignored where text or JSON is expected. Default false.')
      .meta({ default: false }),
  })
  .refine(hasPathForValue, needsPath)
  .superRefine(checkWeb)
  .meta({ ...valueNeedsPath, description: 'A website: the status, text, JSON value and time of an answer.' })

/** Options of both kinds; `headers_only` is http's alone. */
export type WebOptions = z.infer<typeof httpOptions>

function checkWeb(options: Ways & Versions, context: z.RefinementCtx): void {
  checkWays(options, context)
  checkVersion(options, context)
}
