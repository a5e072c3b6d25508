import { z } from 'zod'

/** The names of the parameters that an operation knows. */
export function parameterNames({ query }: { query?: { schema: z.ZodType } }): ReadonlySet<string> {
  if (query === undefined) return new Set()
  if (!(query.schema instanceof z.ZodObject)) throw new Error('The parameters of a query are the members of an object.')
  return new Set(Object.keys(query.schema.shape))
}

type Range = { min: number; max: number }

/** A whole number in a query string, in plain decimal notation; its document says integer. */
export function integerParameter(range: Range & { default: number }): z.ZodType<number>
export function integerParameter(range: Range): z.ZodType<number>
export function integerParameter(range: Range & { default?: number }): z.ZodType<number> {
  const problem = `Must be a whole number from ${range.min} to ${range.max}.`
  const number = z
    .string({ error: problem })
    .regex(/^\d{1,9}$/, problem)
    .transform(Number)
    .pipe(z.int().min(range.min, problem).max(range.max, problem))
  return range.default === undefined ? number : number.default(range.default)
}

const once = 'Must be given once; several values are separated by commas.'

/** Values that are separated by commas, each of which may stand there once or more. What is wrong is said of the whole. */
export function listParameter<Value>(
  value: z.ZodType<Value, string>,
  { max, problem }: { max: number; problem: string },
): z.ZodType<Value[]> {
  const values = z.array(value).min(1).max(max)
  return z
    .string({ error: once })
    .transform(split)
    .check((context) => {
      if (context.value.length > max)
        context.issues.push({ code: 'custom', message: `Must have at most ${max} values.`, input: context.value })
      else if (!values.safeParse(context.value).success)
        context.issues.push({ code: 'custom', message: problem, input: context.value })
    })
    .pipe(values)
}

/** The same of known words. */
export function choicesParameter<const Value extends string>(words: readonly Value[]): z.ZodType<Value[]> {
  const problem = `Must be one or more of ${words.join(', ')}, separated by commas.`
  return listParameter(z.enum(words), { max: words.length, problem })
}

/** A time as RFC 3339 writes it. */
export const timeParameter: z.ZodType<string> = z.iso.datetime({ offset: true })

function split(text: string): string[] {
  return text.split(',').map((value) => value.trim())
}
