import { isRecord } from './errors.ts'

/** The items of all pages. A page is asked for when the one before is used up, so that one may stop at any time. */
export async function* itemsOf(askPage: (cursor: string | undefined) => Promise<unknown>): AsyncGenerator {
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await askPage(cursor)
    if (!isRecord(page) || !Array.isArray(page['data'])) throw new TypeError('The service answered what is no list.')
    yield* page['data']
    cursor = typeof page['next_cursor'] === 'string' ? page['next_cursor'] : undefined
    if (cursor !== undefined && seen.has(cursor)) throw new TypeError('The service answered the same page twice.')
    if (cursor !== undefined) seen.add(cursor)
  } while (cursor !== undefined)
}
