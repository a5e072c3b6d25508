import { kinds } from './index.ts'

/** Milliseconds that checks of a kind may take, of those kinds where that is not the monitor's own timeout. */
export const kindDeadlines: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(kinds).flatMap(({ name, deadlineMs }) => (deadlineMs === null ? [] : [[name, deadlineMs]])),
)
