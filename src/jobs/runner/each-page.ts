/** Work on a list that is too long to be held at once. */
export type Pages<T> = {
  /** The items after this id, in the order of ids, at most `limit`. */
  list: (after: string | null) => Promise<T[]>
  idOf: (item: T) => string
  limit: number
  /** Which items are worked on together. */
  split: (items: T[]) => T[][]
  /** All of them or none. */
  work: (items: T[]) => Promise<void>
  onFailure: (item: T, error: unknown) => void
}

/** So many failures in a row mean that the next one would fail too. */
const failuresAtMost = 5

/**
 * Works on all items, page by page. Items that fail together are tried one by one, so that a bad item holds up no
 * other; an item that fails alone is logged and left to the next run. Throws when nothing succeeds any more.
 */
export async function eachPage<T>(pages: Pages<T>, signal: AbortSignal): Promise<void> {
  const { list, idOf, limit, split } = pages
  const work = tolerant(pages)
  for (let after: string | null = null; ;) {
    const page: T[] = await list(after)
    for (const items of split(page)) {
      if (signal.aborted) return
      await work(items)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return
    after = idOf(last)
  }
}

function tolerant<T>({ work, onFailure }: Pages<T>): (items: T[]) => Promise<void> {
  let failures = 0
  const one = async (item: T): Promise<void> => {
    try {
      await work([item])
      failures = 0
    } catch (error) {
      failures += 1
      if (failures >= failuresAtMost) throw error
      onFailure(item, error)
    }
  }
  return async (items) => {
    try {
      await work(items)
      failures = 0
    } catch {
      for (const item of items) await one(item)
    }
  }
}
