// What the box in which a browser runs is told, and what it says. What it says is shaped by the page that was visited.
import { z } from 'zod'

export const pageActions = [
  'open',
  'click',
  'fill',
  'select',
  'press',
  'expect_text',
  'expect_no_text',
  'expect_visible',
  'expect_hidden',
  'expect_url',
  'expect_title',
] as const
export type PageAction = (typeof pageActions)[number]

export type PageStep = {
  action: PageAction
  /** As Playwright reads selectors: CSS, or `text=`, `role=` and the like. */
  selector?: string | undefined
  value?: string | undefined
}

/** A program in the language of Playwright, and the secrets that it may use by their names. */
export type PageScript = { text: string; secrets: Readonly<Record<string, string>> }

export type PageOrder = {
  url: string
  steps: readonly PageStep[]
  /** Runs after the steps, where the operator of the location allows it. */
  script?: PageScript | undefined
  viewport: { width: number; height: number; isPhone: boolean }
  acceptsAnyCertificate: boolean
  /** Whether a picture of the last state is taken. */
  takesPicture: boolean
  /** That the page has to load, and each step. */
  timeoutMs: number
  /** That the whole visit has, from the start of the browser on. */
  wholeMs: number
}

/** Of each list; the others are counted. */
export const maxTold = 10
export const maxTextLength = 300
/** Of the whole answer, with a picture as base64. */
export const maxAnswerBytes = 256 * 1024

const told = z.string().max(maxTextLength)
const milliseconds = z.number().min(0).max(3_600_000).nullable()
const count = z.int().min(0).max(1_000_000)

const problemsSchema = z.object({ count, first: z.array(told).max(maxTold) })

export const pageSightSchema = z.object({
  /** The HTTP status of the first document; null where none came. */
  status: z.int().min(100).max(999).nullable(),
  /** Why the first document did not load, by Chromium's name, such as `ERR_CONNECTION_REFUSED`. */
  failure: told.nullable(),
  /** Where the browser was in the end. */
  url: z.string().max(2_048),
  /** Milliseconds since the navigation began, of the first page. */
  times: z.object({
    ttfbMs: milliseconds,
    contentMs: milliseconds,
    loadMs: milliseconds,
    fcpMs: milliseconds,
    lcpMs: milliseconds,
  }),
  /** Cumulative layout shift of the first page; no unit. */
  cls: z.number().min(0).max(1_000).nullable(),
  /** How long each step took that was made; the last one failed where `stepFailure` says so. */
  steps: z.array(z.number().min(0).max(3_600_000)).max(20),
  stepFailure: told.nullable(),
  /** How long the script took; null where none ran. */
  scriptMs: milliseconds,
  scriptFailure: told.nullable(),
  hasCrashed: z.boolean(),
  consoleErrors: problemsSchema,
  /** Requests without an answer, or with a status of 400 or more, but for the first document's. */
  failedRequests: problemsSchema,
  requests: count,
  /** A JPEG in base64. */
  picture: z.string().max(maxAnswerBytes).nullable(),
})
export type PageSight = z.infer<typeof pageSightSchema>
