import { z } from 'zod'
import { text } from '#core/language/text.ts'

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
}

export const needsPath = { path: ['expected_value'], message: 'Needs a JSON path, which says where the value is.' }

/** Says the same to readers of the JSON Schema. */
export const valueNeedsPath = { dependentRequired: { expected_value: ['json_path'] } }

export function hasPathForValue(options: { json_path?: string | undefined; expected_value?: unknown }): boolean {
  return options.expected_value === undefined || options.json_path !== undefined
}

export const apiOptions = z
  .strictObject(expectations)
  .refine(hasPathForValue, needsPath)
  .meta({ ...valueNeedsPath, description: 'An HTTP API: the status, text, JSON value and time of an answer.' })

export const httpOptions = z
  .strictObject({
    ...expectations,
    headers_only: z
      .boolean()
      .optional()
      .describe('Stop after the headers of the answer. Ignored where text or JSON is expected. Default false.')
      .meta({ default: false }),
  })
  .refine(hasPathForValue, needsPath)
  .meta({ ...valueNeedsPath, description: 'A website: the status, text, JSON value and time of an answer.' })

/** Options of both kinds; `headers_only` is http's alone. */
export type WebOptions = z.infer<typeof httpOptions>
