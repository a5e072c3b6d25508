// References within a document of OpenAPI, as JSON pointers (RFC 6901).

/** What stands at a place of a document, with the references that lead there followed; undefined where nothing does. */
export type Resolve = (value: unknown) => unknown

const mostHops = 10

/** No other document is read. */
export function resolverOf(document: unknown): Resolve {
  return (value) => {
    let at = value
    for (let hop = 0; hop < mostHops; hop += 1) {
      const pointer = referenceIn(at)
      if (pointer === null) return at
      at = followPointer(document, pointer)
    }
    return undefined
  }
}

/** The reference that a value is; null where it is none. */
export function referenceIn(value: unknown): string | null {
  const { $ref: reference } = membersOf(value)
  return typeof reference === 'string' ? reference : null
}

/** Undefined where a reference leads out of the document, or to nothing. */
export function followPointer(document: unknown, reference: string): unknown {
  if (reference === '#') return document
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => {
      const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
      return typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined
    }, document)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The members of an object; none where a value is another thing. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
