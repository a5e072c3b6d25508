import { z } from 'zod'
import type { Fields } from '#core/language/error.ts'
import { parametersOf } from '#api-document/openapi-parameters.ts'
import { type JsonSchema, isObject, toJsonSchemas } from '#api-document/openapi-schemas.ts'
import type { WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { parse } from '#operations/pipeline/validation.ts'

/** Which part of a list a model is shown: from `offset`, at most `limit`. */
export type Size = { limit: number; offset: number }

/** What a model can read of several lists at once: a monitor with all that is known of it is some 30 kB so. */
const defaultLimit = 25
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

/** What the operation pages: the argument by which a page leads to the next. */
const cursorName = 'cursor'

export const pageRule = `Shows ${defaultLimit} unless \`limit\` says otherwise; \`next_cursor\` leads on.`

export const sizeRule = `Shows ${defaultLimit} of a list, or \`limit\`.`

/** A list of an answer that may grow. */
export type LongList = {
  /** Where it stands. */
  path: readonly string[]
  /** Which member of its entries is such a list itself; null for the list as such. */
  member: string | null
  /** Whether it is of days or periods, which stand oldest first: the newest are shown, and counted from the end. */
  isSeries: boolean
}

/**
 * The lists of an answer that may be more than a model can read, for all its schema says. None where the operation has a
 * limit of its own, or where all that grows are the few words of one thing, such as its locations.
 */
export function longLists(operation: WorkspaceVerb): LongList[] {
  const { name, success } = operation
  const isLimited = hasParameter(operation, 'limit') && !isPaged(operation)
  if (isLimited || success.schema === undefined) return []
  const inline = new Map([[name, success.schema]])
  const schema = toJsonSchemas({ named: {}, inline, direction: 'output' }).get(name)
  const found = listsIn(schema, [])
  return found.some(({ isLong }) => isLong) ? found : []
}

/** Whether the operation itself answers its list page by page where it is asked to. */
export function isPaged(operation: WorkspaceVerb): boolean {
  return hasParameter(operation, cursorName)
}

function hasParameter(operation: WorkspaceVerb, name: string): boolean {
  return parametersOf(operation).some((parameter) => parameter['name'] === name)
}

/** The lists of an answer, and of the objects that are its members. */
function listsIn(schema: unknown, above: readonly string[]): (LongList & { isLong: boolean })[] {
  return membersOf(schema).flatMap(([name, each]) => {
    const path = [...above, name]
    if (each['type'] === 'object' && above.length === 0) return listsIn(each, path)
    if (each['type'] !== 'array') return []
    const members = membersOf(each['items'])
    const isSeries = members.some(([member]) => member === 'date' || member === 'from')
    const inner = members.filter(([, item]) => isListOfObjects(item) && isGrowing(item))
    const within = inner.map(([member]) => ({ path, member, isSeries, isLong: true }))
    const isLong = above.length === 0 || isListOfObjects(each)
    return [isGrowing(each) ? [{ path, member: null, isSeries, isLong }] : [], within].flat()
  })
}

function isGrowing({ maxItems }: JsonSchema): boolean {
  return typeof maxItems !== 'number' || maxItems > defaultLimit
}

function membersOf(schema: unknown): [string, JsonSchema][] {
  if (!isObject(schema) || !isObject(schema['properties'])) return []
  return Object.entries(schema['properties']).flatMap(([name, each]) => (isObject(each) ? [[name, each]] : []))
}

function isListOfObjects({ type, items }: JsonSchema): boolean {
  return type === 'array' && isObject(items) && items['type'] === 'object'
}

/** Takes out of the arguments what is the transport's, with what is wrong with it. */
export function readSize({ limit, offset, ...rest }: Record<string, unknown>): {
  size: Size
  rest: Record<string, unknown>
  problems: Fields
} {
  const size = parse(sizeSchema, { limit, offset })
  if (size.ok) return { size: size.value, rest, problems: {} }
  return { size: { limit: defaultLimit, offset: 0 }, rest, problems: size.fields }
}

/**
 * The arguments of a list that the operation pages. By an offset, which a model may know from other lists, the whole
 * list is counted through, so that it goes with no other argument but the limit.
 */
export function readPage(given: Record<string, unknown>): ReturnType<typeof readSize> {
  if (given['offset'] === undefined)
    return { size: { limit: maxLimit, offset: 0 }, rest: { limit: defaultLimit, ...given }, problems: {} }
  const read = readSize(given)
  if (Object.keys(read.rest).length === 0) return read
  const problem = 'Only works with `limit`. Use `cursor` to go from page to page.'
  return { ...read, problems: { ...read.problems, offset: [...(read.problems['offset'] ?? []), problem] } }
}

/** What a model is told below a page that is not the last. */
export function pageNote(body: unknown): string[] {
  if (!isObject(body) || typeof body['next_cursor'] !== 'string') return []
  return ['More follow: call again with the same arguments and `next_cursor` as `cursor`.']
}

/** The part of each list that was asked for, and a sentence for each of which that is not all. */
export function cutLists(body: unknown, lists: readonly LongList[], size: Size): { body: unknown; notes: string[] } {
  const notes: string[] = []
  const cut = lists.reduce((whole, { path, member, isSeries }) => {
    const called = member === null ? path.join('.') : `${path.join('.')}.${member}`
    const change = (all: readonly unknown[]): unknown[] =>
      member === null ? part(all, { size, called, notes, isSeries }) : innerParts(all, member, { size, called, notes })
    return changedAt(whole, path, change)
  }, body)
  return { body: cut, notes }
}

type Cutting = { size: Size; called: string; notes: string[] }

function part(
  all: readonly unknown[],
  { size: { limit, offset }, called, notes, isSeries }: Cutting & Pick<LongList, 'isSeries'>,
): unknown[] {
  if (offset === 0 && all.length <= limit) return [...all]
  const end = isSeries ? Math.max(0, all.length - offset) : offset + limit
  const begin = isSeries ? Math.max(0, end - limit) : offset
  const shown = all.slice(begin, end)
  const which = shown.length === 0 ? 'none' : `numbers ${begin + 1} to ${begin + shown.length}`
  const howToAsk = isSeries ? 'offset, counted from the end, and limit' : 'offset and limit'
  notes.push(`Of ${all.length} in ${called} ${which} are shown. Ask for others with ${howToAsk}, at most ${maxLimit}.`)
  return shown
}

/** Lists of entries share the limit. They stand on days, the newest last, so the last ones are shown. */
function innerParts(
  entries: readonly unknown[],
  member: string,
  { size: { limit }, called, notes }: Cutting,
): unknown[] {
  const total = entries.reduce((sum: number, entry) => sum + listOf(entry, member).length, 0)
  if (total <= limit) return [...entries]
  notes.push(`Of ${total} in ${called} the last ${limit} are shown. Ask for more with limit, at most ${maxLimit}.`)
  let left = limit
  const cut = entries.toReversed().map((entry) => {
    const all = listOf(entry, member)
    const shown = left === 0 ? [] : all.slice(-left)
    left -= shown.length
    return isObject(entry) && shown.length < all.length ? Object.assign({}, entry, { [member]: shown }) : entry
  })
  return cut.toReversed()
}

function listOf(entry: unknown, member: string): unknown[] {
  const list = isObject(entry) ? entry[member] : undefined
  return Array.isArray(list) ? list : []
}

/** The same with the list at `path` as `change` makes it; as it was where there is none. */
function changedAt(whole: unknown, path: readonly string[], change: (all: readonly unknown[]) => unknown[]): unknown {
  const [name, ...further] = path
  if (name === undefined) return Array.isArray(whole) ? change(whole) : whole
  if (!isObject(whole) || !Object.hasOwn(whole, name)) return whole
  return { ...whole, [name]: changedAt(whole[name], further, change) }
}
