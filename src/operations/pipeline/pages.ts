import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { invalidFields } from '#core/language/error.ts'
import { apiResource } from '#core/language/well-known.ts'
import type { Page, PagePlace } from '#store/database/page.ts'
import type { Call, Reply } from './operation.ts'
import { integerParameter } from './query.ts'

// Lists that are answered page by page: their parameters, the cursor, and the link to the page that follows.

export const maxPageSize = 500
export const usualPageSize = 100
const maxCursorLength = 500

/** What the query of a list that can be asked takes beside its filters. */
export const pageParameters = {
  limit: integerParameter({ min: 1, max: maxPageSize })
    .optional()
    .describe(`How many at most. Default ${usualPageSize}.`),
  cursor: z
    .string()
    .max(maxCursorLength, 'Is not the `next_cursor` of an answer.')
    .optional()
    .describe('The `next_cursor` of the page before; filters stay.'),
}

/** A member of an answer that is given by pages. */
export const nextCursorSchema: z.ZodNullable<z.ZodString> = z
  .string()
  .nullable()
  .describe('For the next page; null on the last.')

type PageQuery = { limit?: number | undefined; cursor?: string | undefined; fields?: readonly string[] | undefined }

/** Whether a list is asked for anything; where it is not, it is answered as a whole. */
export function isAsked(query: object): boolean {
  return Object.values(query).some((value) => value !== undefined)
}

/** A list, and who asks it for what. */
export type Asked<Query> = {
  call: Pick<Call, 'caller' | 'services'>
  list: { name: string; path: string }
  query: Query
}

/** Which page of the list is asked for. A cursor that the service did not make for this very list is refused. */
export function pageAsked<Query extends PageQuery>(
  asked: Asked<Query>,
): { workspaceId: string; after: PagePlace | null; limit: number } {
  const { workspaceId } = asked.call.caller
  const { cursor, limit = usualPageSize } = asked.query
  return { workspaceId, limit, after: cursor === undefined ? null : placeOf(cursor, asked) }
}

/** The page with its cursor, and with a link to the next one where there is one (RFC 8288). */
export function pageReply<Query extends PageQuery, Item>(asked: Asked<Query>, { items, next }: Page<Item>): Reply {
  const cursor = nextCursor(asked, next)
  const body = { data: items, next_cursor: cursor }
  if (cursor === null) return { status: 200, body }
  return { status: 200, body, headers: { Link: `<${addressOf(asked, cursor)}>; rel="next"` } }
}

/** For an answer that holds more than its items. */
export function nextCursor<Query extends PageQuery>(asked: Asked<Query>, next: PagePlace | null): string | null {
  return next === null ? null : cursorOf(next, asked)
}

/** The members of an item that were asked for, in the order in which the item has them. */
export function partOf<Item extends object>(item: Item, fields: readonly string[] | undefined): Partial<Item>
export function partOf(item: object, fields: readonly string[] | undefined): object {
  if (fields === undefined) return item
  return Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name)))
}

const placeSchema = z.tuple([z.string(), z.uuid()])

/** The place, and a signature that binds it to the workspace, the list and the filters. */
function cursorOf<Query extends PageQuery>({ at, id }: PagePlace, asked: Asked<Query>): string {
  const place = Buffer.from(JSON.stringify([at, id])).toString('base64url')
  return `${place}.${asked.call.services.secrets.sign('cursor', signedOf(place, asked))}`
}

function placeOf<Query extends PageQuery>(cursor: string, asked: Asked<Query>): PagePlace {
  const [place = '', signature = ''] = cursor.split('.')
  if (!asked.call.services.secrets.isSigned('cursor', signedOf(place, asked), signature))
    throw invalidFields({ cursor: ['Must be the `next_cursor` of an answer with the same filters.'] }, { status: 400 })
  const [at, id] = placeSchema.parse(JSON.parse(Buffer.from(place, 'base64url').toString()))
  return { at, id }
}

function signedOf<Query extends PageQuery>(place: string, { call, list, query }: Asked<Query>): string {
  const { limit: _limit, cursor: _cursor, fields: _fields, ...filters } = query
  return canonicalJson([call.caller.workspaceId, list.name, filters, place])
}

function addressOf<Query extends PageQuery>({ call, list, query }: Asked<Query>, cursor: string): string {
  const url = new URL(apiResource(call.services.publicUrl) + list.path)
  for (const [name, value] of Object.entries({ ...query, cursor }))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}
