import { z } from 'zod'

/** The names of the parameters that an operation knows. */
export function parameterNames({ query }: { query?: { schema: z.ZodType } }): ReadonlySet<string> {
  if (query === undefined) return new Set()
  if (!(query.schema instanceof z.ZodObject)) throw new Error('The parameters of a query are the members of an object.')
  return new Set(Object.keys(query.schema.shape))
}

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
