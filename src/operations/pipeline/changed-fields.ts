import { isDeepStrictEqual } from 'node:util'

/**
 * The names of the fields that were sent and are not as they were: a form sends all of its fields, whichever a person
 * changed. `after` is what comes of what was sent. A field that `before` does not show, such as a secret, counts as
 * changed.
 */
export function changedFields(sent: unknown, before: unknown, after: unknown = sent): string[] {
  if (!isFields(sent)) return []
  if (!isFields(before) || !isFields(after)) return Object.keys(sent)
  return Object.keys(sent).filter((name) => !(name in before && isDeepStrictEqual(before[name], after[name])))
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
