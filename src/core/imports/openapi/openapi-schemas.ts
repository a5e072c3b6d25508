// Schemas of OpenAPI 3.0 and 3.1 as JSON Schema of draft 2020-12, each with all that it refers to.
import { followPointer, isRecord, membersOf, referenceIn, type Resolve } from './openapi-references.ts'

export type SchemaReading = {
  document: unknown
  resolve: Resolve
  /** Values that may still be looked at, for all schemas of a document together. */
  budget: { left: number }
}

/** `problem` is a sentence. */
export type BundledSchema = { schema: Record<string, unknown> } | { problem: string }

/** For all schemas of a document. */
export const schemaBudget = 500_000
const deepest = 50
/** In characters of JSON: options of a monitor have 64 kB. */
const longestSchema = 50_000

const outOfBounds = 'Its schema is too large for a check.'

class TooLarge extends Error {}

export function bundledSchema(given: unknown, reading: SchemaReading): BundledSchema {
  const bundle: Bundle = { ...reading, names: new Map(), taken: new Set(), open: [], problem: null }
  try {
    const root = converted(given, bundle, 0)
    const definitions: Record<string, unknown> = {}
    let length = lengthOf(root)
    for (let next = bundle.open.pop(); next !== undefined; next = bundle.open.pop()) {
      const made = converted(next.value, bundle, 0)
      length += lengthOf(made)
      if (length > longestSchema) throw new TooLarge()
      definitions[next.name] = made
    }
    if (bundle.problem !== null) return { problem: bundle.problem }
    const schema = isRecord(root) ? root : {}
    return { schema: Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions } }
  } catch (error) {
    if (error instanceof TooLarge) return { problem: outOfBounds }
    throw error
  }
}

type Bundle = SchemaReading & {
  /** Of what is referred to, by its reference. */
  names: Map<string, string>
  taken: Set<string>
  /** Referred to and not yet written. */
  open: { name: string; value: unknown }[]
  problem: string | null
}

function lengthOf(schema: unknown): number {
  const { length } = JSON.stringify(schema)
  if (length > longestSchema) throw new TooLarge()
  return length
}

/** How a keyword's value holds schemas. Formats are left out: OpenAPI has them as annotations, and so do servers. */
const keywords: ReadonlyMap<string, Form> = new Map([
  ...formOf('schema', 'items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not'),
  ...formOf('schema', 'if then else'),
  ...formOf('schemas', 'allOf anyOf oneOf prefixItems'),
  ...formOf('named', 'properties patternProperties dependentSchemas'),
  ...formOf(
    'value',
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength',
  ),
  ...formOf('value', 'pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties'),
  ...formOf('value', 'required dependentRequired'),
])

type Form = 'value' | 'schema' | 'schemas' | 'named'

function formOf(form: Form, words: string): [keyword: string, form: Form][] {
  return words.split(' ').map((word) => [word, form])
}

function converted(given: unknown, bundle: Bundle, depth: number): unknown {
  if (typeof given === 'boolean') return given
  bundle.budget.left -= 1
  if (depth > deepest || bundle.budget.left < 0) throw new TooLarge()
  if (!isRecord(given)) return {}
  const made: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(given)) {
    const form = keywords.get(keyword)
    if (form !== undefined) made[keyword] = formed(form, value, { bundle, depth })
  }
  withoutSentAlone(made, given, bundle)
  asNumber(made, 'exclusiveMaximum', 'maximum')
  asNumber(made, 'exclusiveMinimum', 'minimum')
  const reference = referenceIn(given)
  if (reference !== null) made['$ref'] = referenceTo(reference, bundle)
  return given['nullable'] === true ? orNull(made) : made
}

function formed(form: Form, value: unknown, { bundle, depth }: { bundle: Bundle; depth: number }): unknown {
  switch (form) {
    case 'value':
      return copied(value, bundle, depth)
    case 'schema':
      return converted(value, bundle, depth + 1)
    case 'schemas':
      return Array.isArray(value) ? value.map((each: unknown) => converted(each, bundle, depth + 1)) : value
    case 'named':
      return Object.fromEntries(
        Object.entries(membersOf(value)).map(([name, each]) => [name, converted(each, bundle, depth + 1)]),
      )
  }
}

/** Aliases of YAML make small files that are large when they are written out. */
function copied(value: unknown, bundle: Bundle, depth: number): unknown {
  bundle.budget.left -= 1
  if (depth > deepest || bundle.budget.left < 0) throw new TooLarge()
  if (Array.isArray(value)) return value.map((each: unknown) => copied(each, bundle, depth + 1))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copied(each, bundle, depth + 1)]))
}

/** Of members that only requests have, an answer has none, though they be required (OpenAPI 3.0.4, 4.7.24.2). */
function withoutSentAlone(made: Record<string, unknown>, given: Record<string, unknown>, { resolve }: Bundle): void {
  const { required } = made
  if (!Array.isArray(required)) return
  const members = membersOf(given['properties'])
  const isSentAlone = (name: unknown): boolean =>
    typeof name === 'string' && Object.hasOwn(members, name) && membersOf(resolve(members[name]))['writeOnly'] === true
  made['required'] = required.filter((name: unknown) => !isSentAlone(name))
}

/** In OpenAPI 3.0 a bound is said to be exclusive beside it. */
function asNumber(made: Record<string, unknown>, exclusive: string, bound: string): void {
  if (typeof made[exclusive] !== 'boolean') return
  const isExclusive = made[exclusive] && typeof made[bound] === 'number'
  delete made[exclusive]
  if (!isExclusive) return
  made[exclusive] = made[bound]
  delete made[bound]
}

/** The word of OpenAPI 3.0. */
function orNull(made: Record<string, unknown>): Record<string, unknown> {
  const { type } = made
  if (typeof type === 'string' && made['enum'] === undefined) return { ...made, type: [type, 'null'] }
  return Object.keys(made).length === 0 ? made : { anyOf: [made, { type: 'null' }] }
}

function referenceTo(reference: string, bundle: Bundle): string {
  const known = bundle.names.get(reference)
  if (known !== undefined) return `#/$defs/${known}`
  const value = followPointer(bundle.document, reference)
  if (value === undefined) {
    bundle.problem = reference.startsWith('#')
      ? 'Its schema refers to something that is not there.'
      : 'Its schema refers to another document, which is not read.'
    return '#'
  }
  const wish = (reference.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60)
  let name = wish
  for (let count = 2; bundle.taken.has(name) || name === ''; count += 1) name = `${wish}-${count}`
  bundle.taken.add(name)
  bundle.names.set(reference, name)
  bundle.open.push({ name, value })
  return `#/$defs/${name}`
}
