import { z } from 'zod'
import { text } from '#core/text.ts'

/** Expectations of http, api and of each step of a transaction about an answer. Specification, Check options. */
export const expectations = {
  json_path: text({ min: 1, max: 500 }).optional(),
  expected_value: z.unknown().optional(),
  max_latency_ms: z.int().min(100).max(60_000).optional(),
}

export const needsPath = { path: ['expected_value'], message: 'Needs json_path, which says where the value stands.' }

export function hasPathForValue(options: { json_path?: string | undefined; expected_value?: unknown }): boolean {
  return options.expected_value === undefined || options.json_path !== undefined
}

export const apiOptions = z.strictObject(expectations).refine(hasPathForValue, needsPath)

export const httpOptions = z
  .strictObject({ ...expectations, headers_only: z.boolean().optional() })
  .refine(hasPathForValue, needsPath)

/** Options of both kinds; `headers_only` is http's alone. */
export type WebOptions = z.infer<typeof httpOptions>
