// Values that a JSON Schema of our document takes.
import fc from 'fast-check'
import { isObject, type JsonSchema } from '#api-document/openapi-schemas.ts'
import type { Random } from './random.ts'

export type Around = {
  schemas: JsonSchema
  /** The id of an object that a member of this name may mean, such as `monitor_ids`. */
  idFor: (name: string, random: Random) => string
  /** The address of a server that answers. */
  target: string
}

type Place = { name: string; depth: number }

const deepest = 5
/** How many optional members an object gets of each hundred. */
const optionalShare = 0.25
const dayMs = 86_400_000

export function validValue(schema: JsonSchema, around: Around, random: Random): unknown {
  return valueOf(schema, { around, random }, { name: '', depth: 0 })
}

type With = { around: Around; random: Random }

function valueOf(given: unknown, w: With, place: Place): unknown {
  const schema = resolved(given, w.around)
  if (schema === null) return w.random.pick([null, true, 'text', 7])
  if ('const' in schema) return schema['const']
  const { enum: choices, oneOf, anyOf } = schema
  if (Array.isArray(choices)) return w.random.pick(choices)
  const branches = [oneOf, anyOf].find((each) => Array.isArray(each))
  if (Array.isArray(branches)) return branchValue(schema, branches, { w, place })
  return plainValue(schema, w, place)
}

/** What a branch asks for comes after what all of them ask for. */
function branchValue(schema: JsonSchema, branches: unknown[], { w, place }: { w: With; place: Place }): unknown {
  const chosen = valueOf(w.random.pick(branches), w, place)
  const { oneOf: _one, anyOf: _any, ...common } = schema
  if (!isObject(chosen) || !isObject(common['properties'])) return chosen
  const base = plainValue(common, w, place)
  return isObject(base) ? { ...base, ...chosen } : chosen
}

function resolved(given: unknown, { schemas }: Around): JsonSchema | null {
  if (!isObject(given)) return null
  const { $ref: reference } = given
  if (typeof reference !== 'string') return given
  const named = schemas[reference.split('/').at(-1) ?? '']
  return isObject(named) ? named : null
}

function plainValue(schema: JsonSchema, w: With, place: Place): unknown {
  switch (typeIn(schema, w.random)) {
    case 'object':
      return objectValue(schema, w, place)
    case 'array':
      return listValue(schema, w, place)
    case 'string':
      return textValue(schema, w, place)
    case 'integer':
      return Math.round(numberValue(schema, w.random))
    case 'number':
      return numberValue(schema, w.random)
    case 'boolean':
      return w.random.chance(0.5)
    case 'null':
      return null
    default:
      return w.random.pick([null, true, 'text', 7])
  }
}

function typeIn({ type, properties }: JsonSchema, random: Random): unknown {
  if (!Array.isArray(type)) return type ?? (properties === undefined ? undefined : 'object')
  const others = type.filter((each) => each !== 'null')
  return random.chance(0.2) ? 'null' : random.pick(others)
}

function objectValue(schema: JsonSchema, w: With, { name, depth }: Place): unknown {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const share = depth > deepest ? 0 : optionalShare
  const entries = Object.entries(properties)
    .filter(([member]) => required.has(member) || w.random.chance(share))
    .map(([member, inner]) => [member, valueOf(inner, w, { name: member, depth: depth + 1 })])
  const { additionalProperties: others } = schema
  if (entries.length === 0 && isObject(others) && Object.keys(others).length > 0 && w.random.chance(0.5))
    entries.push([`name${w.random.below(9)}`, valueOf(others, w, { name, depth: depth + 1 })])
  return Object.fromEntries(entries)
}

function listValue(schema: JsonSchema, w: With, { name, depth }: Place): unknown[] {
  const least = Number(schema['minItems'] ?? 0)
  const most = Math.min(Number(schema['maxItems'] ?? 3), least + 2)
  const length = least + w.random.below(most - least + 1)
  const items = Array.from({ length }, () => valueOf(schema['items'], w, { name, depth: depth + 1 }))
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

function numberValue(schema: JsonSchema, random: Random): number {
  const least = Number(schema['minimum'] ?? (schema['exclusiveMinimum'] === undefined ? 0 : 0.5))
  const most = Number(schema['maximum'] ?? Math.max(least, 1) * 10)
  return random.pick([least, most, least + random.below(Math.max(1, Math.floor(most - least)))])
}

function textValue(schema: JsonSchema, w: With, { name }: Place): string {
  const { format, pattern } = schema
  const { around, random } = w
  if (format === 'uuid') return around.idFor(name, random)
  if (format === 'date-time') return new Date(Date.now() + (random.below(40) - 20) * dayMs).toISOString()
  if (format === 'date')
    return new Date(Date.now() - random.below(40) * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length)
  if (format === 'uri') return around.target
  const meant = meantBy(name, w)
  if (meant !== undefined) return meant
  if (typeof pattern === 'string') return patternText(pattern, schema, random)
  const least = Number(schema['minLength'] ?? 0)
  const most = Math.min(Number(schema['maxLength'] ?? 40), Math.max(least, 40))
  return random.pick(words).padEnd(least, 'x').slice(0, most)
}

const words = ['Shop', 'a b', 'é✓', '日本', '0', 'checkout-7', 'Ω', 'x'.repeat(40), '😀 smile', 'Ünïcödé']

/** What a schema does not say: texts that are read further have a grammar of their own. */
function meantBy(name: string, { around: { target }, random }: With): string | undefined {
  switch (name) {
    case 'time_zone':
      return random.pick(['UTC', 'Europe/Sofia', 'America/New_York', 'Pacific/Chatham'])
    case 'slug':
      return `page-${random.below(1e9)}`
    case 'url':
    case 'homepage':
    case 'runbook_url':
    case 'destination':
      return `${target}/${random.below(100)}`
    case 'email':
      return `reader${random.below(1e6)}@example.com`
    case 'expression':
      return random.pick(['0 3 * * 1', '*/5 * * * *', '0 0 1 1 *', '30 2 29 2 *'])
    case 'domain':
      return `d${random.below(1e9)}.example.com`
    default:
      return undefined
  }
}

const compiled = new Map<string, fc.Arbitrary<string>>()

function patternText(pattern: string, { minLength, maxLength }: JsonSchema, random: Random): string {
  // What looks around cannot be generated from.
  if (/\(\?[!=<]|\\[pP]/.test(pattern)) return random.pick(['tag', 'Shop 7', 'a'])
  const made = compiled.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  compiled.set(pattern, made)
  const [text = ''] = fc.sample(made, { seed: random.below(2 ** 31), numRuns: 1 })
  return text.slice(0, Number(maxLength ?? 2000)).padEnd(Number(minLength ?? 0), 'a')
}
