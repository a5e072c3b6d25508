// What exports of other tools are read with: the place of what is wrong in them, and lists that have a bound.
import { z } from 'zod'

/** `data[0].rotations[1]` */
export function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

/** A list that is refused for its length or its first wrong entry, before the other entries are looked at. */
export function listOf<T>(item: z.ZodType<T>, max: number): z.ZodType<T[]> {
  return z.unknown().transform((value, context) => {
    const refuse = (message: string, path: PropertyKey[] = []): never => {
      context.addIssue({ code: 'custom', path, message })
      return z.NEVER
    }
    if (!Array.isArray(value)) return refuse('Must be a list.')
    if (value.length > max) return refuse(`Must have at most ${max} entries.`)
    const found: T[] = []
    for (const [index, each] of value.entries()) {
      const parsed = item.safeParse(each)
      if (!parsed.success) {
        const [issue] = parsed.error.issues
        return refuse(issue?.message ?? 'It has another form.', [index, ...(issue?.path ?? [])])
      }
      found.push(parsed.data)
    }
    return found
  })
}
