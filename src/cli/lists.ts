import { z } from 'zod'
import { StartError } from '#store/database/start-error.ts'
import { readFrom, type Service } from './service.ts'

const pageSize = 500
/** 500 monitors with long bodies. */
const maxPageBytes = 64 * 1024 * 1024
/** A service that answers the same cursor for ever must end, too. */
const maxPages = 400

export type Query = Readonly<Record<string, string | undefined>>

/** All items of a list that the API answers page by page. Throws StartError. */
export async function readList<Item>(
  service: Service,
  { path, query = {}, maxItems = Infinity }: { path: string; query?: Query; maxItems?: number },
  item: z.ZodType<Item>,
): Promise<Item[]> {
  const schema = z.object({ data: z.array(item), next_cursor: z.string().nullable() })
  const items: Item[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages && items.length < maxItems; pages += 1) {
    const limit = String(Math.min(pageSize, maxItems - items.length))
    const page = await readOne(service, `${path}?${searchOf({ ...query, limit, cursor })}`, schema)
    items.push(...page.data)
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  return items
}

/** What the service has at a path. Throws StartError. */
export async function readOne<Body>(service: Service, path: string, schema: z.ZodType<Body>): Promise<Body> {
  const asked = await readFrom(service, path, maxPageBytes)
  if (!asked.ok) throw new StartError(asked.problem)
  return parsed(asked.body, schema)
}

/** A service of another release may answer what this one cannot read. Throws StartError. */
export function parsed<Body>(body: unknown, schema: z.ZodType<Body>): Body {
  const answer = schema.safeParse(body)
  if (!answer.success)
    throw new StartError('This release cannot read the answer of the service. Is the service on the same release?')
  return answer.data
}

function searchOf(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value)
  return search.toString()
}
