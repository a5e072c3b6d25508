// JSON and rows of other tools, of bounded size, with the place of what is wrong in them.
import { z } from 'zod'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { placeOf } from '#core/language/foreign-lists.ts'
import { ImportError, importLimits } from './imported.ts'

/** In microseconds, as parseBoundedJson counts: an export of 20 MB has far less. */
const maxCost = 400_000

/** Refuses what is too long, is no JSON or would take too long to read, with an ImportError. */
export function parseImportJson(content: string): unknown {
  assertLength(content)
  const reading = parseBoundedJson(content, maxCost)
  if (reading.type === 'invalid') throw new ImportError('It is not JSON.')
  if (reading.type === 'too intricate') throw new ImportError('It is too large to be read at once.')
  return reading.value
}

export function assertLength(content: string): void {
  if (content.length > importLimits.length) throw new ImportError(`It has more than ${importLimits.length} characters.`)
}

/** Refuses with an ImportError that names the first place which is not as the schema says. */
export function readAs<T>(value: unknown, schema: z.ZodType<T>, place = ''): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = placeOf([...(place === '' ? [] : [place]), ...(issue?.path ?? [])])
  throw new ImportError(`${where === '' ? '' : `${where}: `}${issue?.message ?? 'It does not have the expected form.'}`)
}

const maxTextLength = 100_000
const scalar = z.union([z.string(), z.number(), z.boolean(), z.bigint()], 'Must be a text or a number.')

/** Null where it is left out or empty. Databases and YAML files are free to hold numbers where texts are meant. */
export const textOrNull = scalar
  .nullish()
  .transform((value) => (value === null || value === undefined || value === '' ? null : String(value)))
  .refine((value) => value === null || value.length <= maxTextLength, `Must have at most ${maxTextLength} characters.`)

/** Null where it is left out, empty or no number. */
export const numberOrNull = scalar.nullish().transform((value) => {
  if (value === null || value === undefined || value === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
})

/** True for true, 1, "1" and "true". */
export const flag = scalar.nullish().transform((value) => value === true || /^(?:[1-9]\d*|true)$/.test(String(value)))

/** Null where it is left out or empty, which YAML without types reads as an empty text. */
export function ifGiven<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodOptional<z.ZodType<z.output<Schema> | null | undefined>> {
  return z.preprocess((value) => (value === '' ? null : value), schema.nullish()).optional()
}

/** The value of a JSON text within a field, undefined where it is none. */
export function innerJson(text: string | null): unknown {
  if (text === null) return undefined
  const reading = parseBoundedJson(text, maxInnerCost)
  return reading.type === 'value' ? reading.value : undefined
}

const maxInnerCost = 2_000
