/** A member whose value is null counts as found. `isGivenUp` says that there were more ways to follow than are tried. */
export type Found = { isFound: true; value: unknown } | { isFound: false; isGivenUp: boolean }

const maxSegments = 32

/** The problem with a path that a caller gives, as a sentence; null where the path may be used. */
export function pathProblem(path: string): string | null {
  const segments = path.split('.')
  if (segments.includes('')) return 'Must have a name between two dots, before the first and after the last.'
  return segments.length > maxSegments ? `Must have at most ${maxSegments} segments, separated by dots.` : null
}

/**
 * A hostile answer can offer so many members with dots in their names that trying all would take minutes. Of a path
 * without empty segments, 500 characters hold 250 segments, and 250 * 251 / 2 look-ups find any value in an answer
 * where no member leads astray: paths from before `pathProblem` go on as they were.
 */
const maxLookups = 32_000

/**
 * Follows a dot-separated path through a JSON value: own members of objects, non-negative indexes of arrays. Where keys
 * hold dots, the longest key that leads on is taken: of `a.b.c` first the member "a.b.c", then "a.b".
 */
export function followPath(value: unknown, path: string): Found {
  return follow({ path, lookupsLeft: maxLookups }, value, 0)
}

/** Equality of JSON values: types are never converted, and the order of members does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (a === b) continue
    const inner = memberPairs(a, b)
    if (inner === null) return false
    // One by one: spread, a list of some hundred thousand items would be more arguments than a call can have.
    for (const each of inner) pairs.push(each)
  }
  return true
}

const longestShown = 200

/** A JSON value for a sentence, written only as far as it is shown: all of a large one would take long. */
export function shownJson(value: unknown): string {
  const text = beginningOf(value, longestShown)
  return text.length > longestShown ? `${text.slice(0, longestShown - 3)}...` : text
}

/** The JSON of a value; of one that is longer than `room`, a text that begins like it and is longer than `room` too. */
function beginningOf(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, Math.max(0, room)))
  if (!isObject(value)) return JSON.stringify(value)
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  for (const key of isList ? value.keys() : keysOf(value)) {
    if (text.length > room) break
    if (text.length > 1) text += ','
    if (typeof key === 'string') text += `${JSON.stringify(key.slice(0, room))}:`
    text += beginningOf(value[key], room - text.length)
  }
  return `${text}${isList ? ']' : '}'}`
}

/** Unlike Object.keys, ends where its reader does. */
function* keysOf(value: object): Generator<string> {
  for (const key in value) yield key
}

type Walk = { path: string; lookupsLeft: number }

const notFound: Found = { isFound: false, isGivenUp: false }
const givenUp: Found = { isFound: false, isGivenUp: true }

/**
 * Follows the rest of the path from `start`; a start beyond the end of the path means that nothing is left to follow.
 */
function follow(walk: Walk, value: unknown, start: number): Found {
  const { path } = walk
  if (start > path.length) return { isFound: true, value }
  if (Array.isArray(value)) return followIndex(walk, value, start)
  if (!isObject(value)) return notFound
  for (let end = path.length; end >= start; end = end > 0 ? path.lastIndexOf('.', end - 1) : -1) {
    if (walk.lookupsLeft === 0) return givenUp
    walk.lookupsLeft -= 1
    const key = path.slice(start, end)
    if (!Object.hasOwn(value, key)) continue
    const found = follow(walk, value[key], end + 1)
    if (found.isFound || found.isGivenUp) return found
  }
  return notFound
}

function followIndex(walk: Walk, list: readonly unknown[], start: number): Found {
  const { path } = walk
  const dot = path.indexOf('.', start)
  const end = dot === -1 ? path.length : dot
  const key = path.slice(start, end)
  const isIndex = /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < list.length
  return isIndex ? follow(walk, list[Number(key)], end + 1) : notFound
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
