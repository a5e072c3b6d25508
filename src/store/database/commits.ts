import type { Database } from './database.ts'

/** Tells, within one process, that it has written something that jobs may have to do with. */
export type Commits = {
  /** How often something was written. */
  readonly count: number
  /** To be called after a write that is no transaction of a followed database. */
  note: () => void
  /** The same database, whose transactions are noted that have written something, or may have. */
  follow: (database: Database) => Database
  /** Returns a function that ends it. */
  onCommit: (handler: () => void) => () => void
}

export function createCommits(): Commits {
  const handlers = new Set<() => void>()
  let count = 0
  function note(): void {
    count += 1
    for (const handle of handlers) handle()
  }
  return {
    get count() {
      return count
    },
    note,
    follow: (database) => ({
      ...database,
      transaction: (work, options) => database.transaction(work, { ...options, onWritten: note }),
    }),
    onCommit: (handler) => {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
  }
}
