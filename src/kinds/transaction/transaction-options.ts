import { z } from 'zod'
import { type StatusInput, statusesProblem, statusList } from '#core/monitors/expected-statuses.ts'
import { methods, statusBound } from '#core/monitors/monitor-fields.ts'
import { requestHeaders } from '#core/monitors/request-headers.ts'
import { text } from '#core/language/text.ts'
import {
  checkVersion,
  checkWays,
  expectations,
  hasPathForValue,
  needsPath,
  valueNeedsPath,
  type Ways,
  ways,
} from '#kinds/web/web-options.ts'
import { captures, checkNames, secrets } from './capture-options.ts'
import { totpSecret } from './totp-option.ts'
import { webTargetProblem } from '#kinds/web/web-target.ts'

const step = z
  .strictObject({
    name: text({ min: 1, max: 60 })
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Must be one line.')
      .optional()
      .describe('What the step is called in texts of failures, such as "Sign in".'),
    url: text({ max: 2048 })
      .superRefine(checkStepUrl)
      .optional()
      .describe("A URL, or a path such as /login that belongs to the monitor's target. Default: that target."),
    method: z.enum(methods).optional().describe("Sent with this step. Default: the monitor's method."),
    headers: requestHeaders
      .nullish()
      .describe(
        "Sent instead of the monitor's own headers; kept encrypted and never returned. Left out of a change they stay, null clears them.",
      ),
    body: text({ max: 65_536 }).nullish().describe("Sent with this step. Default: the monitor's body; null for none."),
    keyword: text({ max: 2000 })
      .nullish()
      .describe("Text that the body of the answer must contain. Default: the monitor's text; null for none."),
    expected_status_min: statusBound
      .optional()
      .describe("The lowest HTTP status that is right. Default: the monitor's."),
    expected_status_max: statusBound
      .optional()
      .describe("The highest HTTP status that is right. Default: the monitor's."),
    expected_statuses: statusList
      .nullish()
      .describe(
        "The statuses that are right, such as `200-299` and `401`, in place of the two. Default: the monitor's.",
      ),
    ...expectations,
    captures,
  })
  .refine(hasPathForValue, needsPath)
  .refine(areBoundsInOrder, {
    path: ['expected_status_min'],
    message: 'The lowest accepted status code must not be above the highest.',
  })
  .superRefine(checkStatuses)
  .meta(valueNeedsPath)
export type Step = z.infer<typeof step>

export type TransactionOptions = {
  steps: Step[]
  secrets?: { name: string; value?: string | undefined }[] | undefined
  totp_secret?: string | undefined
} & Ways

/** A strict object: the requests of a run in their order. */
export function transactionOptions(maxSteps: number): z.ZodType<TransactionOptions> {
  return z
    .strictObject({
      steps: z
        .array(step)
        .min(1)
        .max(maxSteps)
        .describe(
          'Requests made one after the other, which share their cookies; the run ends at the first that fails.',
        ),
      secrets,
      totp_secret: totpSecret,
      ...ways,
    })
    .superRefine(checkWays)
    .superRefine(checkVersions)
    .superRefine(checkNames)
    .describe(`Up to ${maxSteps} HTTP requests in a row, as a visitor would make them.`)
}

function checkVersions({ steps, http2 }: TransactionOptions, context: z.RefinementCtx): void {
  for (const [index, { expected_http_version }] of steps.entries())
    checkVersion({ expected_http_version, http2 }, context, ['steps', index])
}

/** Any origin will do: what stays within it is a path. */
const anyOrigin = 'http://origin.invalid'

/** A path, and nothing that only looks like one: `//host` and `/\host` lead elsewhere. */
export function isPath(url: string): boolean {
  return url.startsWith('/') && URL.parse(url, anyOrigin)?.origin === anyOrigin
}

function checkStepUrl(url: string, context: z.RefinementCtx<string>): void {
  const problem = isPath(url) ? null : webTargetProblem(url, () => false)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
}

function checkStatuses(given: StatusInput, context: z.RefinementCtx): void {
  const found = statusesProblem(given, null)
  if (found !== null) context.addIssue({ code: 'custom', path: [found.field], message: found.problem })
}

type Bounds = { expected_status_min?: number | undefined; expected_status_max?: number | undefined }

function areBoundsInOrder({ expected_status_min: min = 100, expected_status_max: max = 599 }: Bounds): boolean {
  return min <= max
}
