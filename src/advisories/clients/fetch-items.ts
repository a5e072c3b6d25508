import { FeedError, type FeedParts } from './feed.ts'
import { fetchFeed, type FeedRequest } from './feed-http.ts'
import { createItemReader, type ItemReader } from './json-items.ts'

export type ItemsRequest = Omit<FeedRequest, 'taker'> & {
  /** As in `createItemReader`. */
  member: string | null
  /** Begins an attempt and returns the function that takes the texts of its items. */
  begin: () => (item: string) => boolean
}

/** `frame` is the document around the items; null where enough items had come before its end. */
export type FetchedItems = { etag: string | null; frame: unknown }

/** Reads the items of one address. Throws FeedError. */
export async function fetchItems(parts: FeedParts, request: ItemsRequest): Promise<FetchedItems | 'unchanged'> {
  const { member, begin, ...rest } = request
  const reading: { items: ItemReader | null; isEnough: boolean } = { items: null, isEnough: false }
  const taker = (): ((piece: Uint8Array) => boolean) => {
    const items = createItemReader(member, begin())
    Object.assign(reading, { items, isEnough: false })
    return (piece) => {
      reading.isEnough = items.write(piece)
      return reading.isEnough
    }
  }
  const answer = await fetchFeed(parts, { ...rest, taker })
  if (answer === 'missing') throw new FeedError(`${parts.root}${request.path} is not there.`)
  if (answer === 'unchanged') return 'unchanged'
  return { ...answer, frame: reading.isEnough ? null : (reading.items?.end() ?? null) }
}
