import { z } from 'zod'
import { invalidFields } from '#core/error.ts'
import { parametersOf } from '#http/openapi-parameters.ts'
import { type JsonSchema, isObject, toJsonSchemas } from '#http/openapi-schemas.ts'
import type { WorkspaceVerb } from '#operations/operation.ts'

/** Which part of a list a model is shown: from `offset`, at most `limit`. */
export type Size = { limit: number; offset: number }

const defaultLimit = 50
const maxLimit = 500

const sizeSchema = z.object({
  limit: z.int().min(1).max(maxLimit).default(defaultLimit),
  offset: z.int().min(0).default(0),
})

/** What the tools of long lists take besides what their operations take. */
export const sizeParameters: Record<string, JsonSchema> = {
  limit: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'How many are shown.' },
  offset: { type: 'integer', minimum: 0, default: 0, description: 'How many are left out before them.' },
}

export const sizeRule = `Shows ${defaultLimit} of a list unless \`limit\` says otherwise, and says how many there are.`

/**
 * The members of an answer that are lists which may grow: more than a model can read, for all it knows. None where the
 * operation has a limit of its own.
 */
export function longLists(operation: WorkspaceVerb): string[] {
  const { name, success } = operation
  const isLimited = parametersOf(operation).some((parameter) => parameter['name'] === 'limit')
  if (isLimited || success.schema === undefined) return []
  const inline = new Map([[name, success.schema]])
  const schema = toJsonSchemas({ named: {}, inline, direction: 'output' }).get(name)
  const members = isObject(schema?.['properties']) ? Object.entries(schema['properties']) : []
  return members.flatMap(([member, each]) =>
    isObject(each) && each['type'] === 'array' && each['maxItems'] === undefined ? [member] : [],
  )
}

/** Takes out of the arguments what is the transport's. Throws a refusal that names the fields. */
export function readSize({ limit, offset, ...rest }: Record<string, unknown>): {
  size: Size
  rest: Record<string, unknown>
} {
  const size = sizeSchema.safeParse({ limit, offset })
  if (size.success) return { size: size.data, rest }
  const fields = Object.fromEntries(size.error.issues.map(({ path, message }) => [path.join('.'), [message]]))
  throw invalidFields(fields)
}

/** The part of each list that was asked for, and a sentence for each of which that is not all. */
export function cutLists(
  body: unknown,
  lists: readonly string[],
  { limit, offset }: Size,
): { body: unknown; notes: string[] } {
  if (!isObject(body)) return { body, notes: [] }
  const notes: string[] = []
  const cut = Object.entries(body).map(([name, all]: [string, unknown]) => {
    if (!lists.includes(name) || !Array.isArray(all) || (offset === 0 && all.length <= limit)) return [name, all]
    const shown: unknown[] = all.slice(offset, offset + limit)
    const which = shown.length === 0 ? 'none' : `numbers ${offset + 1} to ${offset + shown.length}`
    notes.push(
      `Of ${all.length} in ${name} ${which} are shown. Ask for others with offset and limit, at most ${maxLimit}.`,
    )
    return [name, shown]
  })
  return { body: Object.fromEntries(cut), notes }
}
