import { z } from 'zod'

/** Text of `min` to `max` characters, counted in Unicode code points as JSON Schema and PostgreSQL do. */
export function text({ min = 0, max }: { min?: number; max: number }): z.ZodString {
  return z
    .string()
    .refine((value) => value.length >= min, min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`)
    .refine((value) => !isLonger(value, max), `Must have at most ${max} characters.`)
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })
}

/** A code point takes one or two units of a JavaScript string, so most texts are decided by their length alone. */
function isLonger(value: string, max: number): boolean {
  if (value.length <= max) return false
  return value.length > 2 * max || Array.from(value).length > max
}
