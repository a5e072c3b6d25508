/**
 * Where a page of a list ended, in the order of that list: the time as PostgreSQL writes it, to the microsecond, and the
 * id that decides between rows of the same time. Neither changes while its row exists, so a page that begins behind them
 * repeats nothing and leaves nothing out, whatever was added or deleted since.
 */
export type PagePlace = { at: string; id: string }

export type PageRequest = {
  workspaceId: string
  /** The end of the page before; null for the first one. */
  after: PagePlace | null
  limit: number
}

/** `next` is null on the last page. */
export type Page<Item> = { items: Item[]; next: PagePlace | null }

/** The page of `limit` items, made of one row more where there are more. */
export function pageOf<Item>(rows: readonly PagePlace[], items: readonly Item[], limit: number): Page<Item> {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { items: items.slice(0, limit), next: last === undefined ? null : { at: last.at, id: last.id } }
}

/** Keeps the values of a statement that is made of parts; gives each its placeholder. */
export type Put = (value: unknown) => string

export function placeholders(): { put: Put; values: unknown[] } {
  const values: unknown[] = []
  return { put: (value) => `$${values.push(value)}`, values }
}

/** SQL: whether a text holds another, whatever the case of either. */
export function holdsText(column: string, placeholder: string): string {
  return `strpos(lower(${column}), lower(${placeholder})) > 0`
}
