/** A member whose value is null counts as found. */
export type Found = { isFound: true; value: unknown } | { isFound: false }

/**
 * Follows a dot-separated path through a JSON value: own members of objects, non-negative indexes of arrays. Where keys
 * hold dots, the longest key that leads on is taken: of `a.b.c` first the member "a.b.c", then "a.b".
 */
export function followPath(value: unknown, path: string): Found {
  return follow(value, path, 0)
}

/** Equality of JSON values: types are never converted, and the order of members does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (a === b) continue
    const inner = memberPairs(a, b)
    if (inner === null) return false
    pairs.push(...inner)
  }
  return true
}

const longestShown = 200

/**
 * A JSON value for a sentence. JSON.stringify throws for a value that is nested too deeply, so the text then names only
 * its type.
 */
export function shownJson(value: unknown): string {
  try {
    const text = JSON.stringify(value)
    return text.length > longestShown ? `${text.slice(0, longestShown - 3)}...` : text
  } catch {
    return Array.isArray(value) ? 'a deep array' : 'a deep object'
  }
}

const notFound: Found = { isFound: false }

/**
 * Follows the rest of the path from `start`; a start beyond the end of the path means that nothing is left to follow.
 */
function follow(value: unknown, path: string, start: number): Found {
  if (start > path.length) return { isFound: true, value }
  if (Array.isArray(value)) return followIndex(value, path, start)
  if (!isObject(value)) return notFound
  for (let end = path.length; end >= start; end = end > 0 ? path.lastIndexOf('.', end - 1) : -1) {
    const key = path.slice(start, end)
    if (!Object.hasOwn(value, key)) continue
    const found = follow(value[key], path, end + 1)
    if (found.isFound) return found
  }
  return notFound
}

function followIndex(list: readonly unknown[], path: string, start: number): Found {
  const dot = path.indexOf('.', start)
  const end = dot === -1 ? path.length : dot
  const key = path.slice(start, end)
  const isIndex = /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < list.length
  return isIndex ? follow(list[Number(key)], path, end + 1) : notFound
}

/** The pairs to compare next, or null when the two values already differ. */
function memberPairs(a: unknown, b: unknown): [unknown, unknown][] | null {
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return null
    return a.map((each, index) => [each, b[index]])
  }
  if (!isObject(a) || !isObject(b)) return null
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return null
  return keys.every((key) => Object.hasOwn(b, key)) ? keys.map((key) => [a[key], b[key]]) : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
