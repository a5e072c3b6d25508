import { isObject } from '#api-document/openapi-schemas.ts'
import { pathNames } from '#operations/pipeline/define-operation.ts'
import { isUuid } from '#core/language/uuid.ts'
import type { Reply, WorkspaceVerb } from '#operations/pipeline/operation.ts'

/** The tool that lists what an id of a path may be, by the name of the member: `id` of `/monitors/{id}`. */
export type Finders = Readonly<Partial<Record<string, string>>>

/** Which of `operations` list what the ids of a path are of. */
export function findersOf({ path }: WorkspaceVerb, operations: readonly WorkspaceVerb[]): Finders {
  return Object.fromEntries(
    pathNames({ path }).flatMap((member) => {
      const collection = path.slice(0, path.indexOf(`/{${member}}`))
      const finder = operations.find((each) => each.method === 'GET' && each.path === collection)
      return finder === undefined ? [] : [[member, finder.name]]
    }),
  )
}

/**
 * A refusal that says of an id that it can be none, and where ids are found: a model that has a name for an id would
 * take `not_found` for an answer. What was refused for another reason is as it was.
 */
export function withIdAdvice(
  reply: Reply,
  { operation, finders, given }: { operation: WorkspaceVerb; finders: Finders; given: Record<string, unknown> },
): Reply {
  const { status, body } = reply
  if (status !== 404 || !isObject(body)) return reply
  const wrong = pathNames(operation).filter((name) => given[name] !== undefined && !isIdIn(given[name]))
  if (wrong.length === 0) return reply
  const message = wrong.map((name) => adviceOn(name, finders[name])).join(' ')
  return { ...reply, body: { ...body, message } }
}

function isIdIn(value: unknown): boolean {
  return typeof value === 'string' && isUuid(value)
}

const example = '0c7a8f6e-3b1d-4e52-9f60-2a4d8c1b7e93'

function adviceOn(name: string, finder: string | undefined): string {
  const advice = `\`${name}\` must be a UUID such as ${example}`
  return finder === undefined ? `${advice}.` : `${advice}; find ids with ${finder}.`
}
