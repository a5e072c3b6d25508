import { z } from 'zod'

/** A whole number in a query string, in plain decimal notation; its document says integer. */
export function integerParameter(range: { min: number; max: number; default: number }): z.ZodType<number> {
  const problem = `Must be a whole number from ${range.min} to ${range.max}.`
  return z
    .string({ error: problem })
    .regex(/^\d{1,9}$/, problem)
    .transform(Number)
    .pipe(z.int().min(range.min, problem).max(range.max, problem))
    .default(range.default)
}
