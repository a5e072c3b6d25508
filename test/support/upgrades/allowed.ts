import type { Allowed } from './contents.ts'

/** What migrations have to change of what stood there before, by their files. Everything else stays as it was. */
export const allowedChanges: Readonly<Record<string, Allowed>> = {
  // Months are gathered once more, now with their sums.
  '0018-status-maintenance.sql': { changes: ['gathered_months.next_key'] },
  // From when on slow answers count, and since when contents are sealed.
  '0020-slow-answers.sql': { adds: ['settings'] },
  '0023-sealed-content.sql': { adds: ['settings'] },
}
