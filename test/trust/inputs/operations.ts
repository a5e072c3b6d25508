// What our own document says of each operation, so that a new one is tried without anything to do.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { contactKinds } from '#contacts/index.ts'
import { createOpenApi } from '#api-document/openapi.ts'
import { isObject, type JsonSchema } from '#api-document/openapi-schemas.ts'
import { kinds } from '#kinds/index.ts'
import { operations as allOperations } from '#operations/index.ts'
import { components } from '#operations/pipeline/named-schemas.ts'
import type { AnyOperation, Surface } from '#operations/pipeline/operation.ts'
import { advertisedOffers } from '../../../src/payments/offers.ts'

export type Parameter = { name: string; schema: JsonSchema; isRequired: boolean }

export type Described = {
  name: string
  method: string
  /** Below /api/v1, with `{id}`. */
  path: string
  surface: Surface
  scope: 'read' | 'write'
  actsFor: 'workspace' | 'person'
  query: Parameter[]
  body: JsonSchema | null
  takesFile: boolean
  /** What answers of a status look like by media type; null for a status that is not described. */
  answersOf: (status: number) => Readonly<Record<string, ValidateFunction | null>> | null
}

export type Document = { schemas: JsonSchema; operations: Described[] }

/** The public document knows no operation that answers these. */
const consoleStatuses: ReadonlySet<number> = new Set([409, 410])

/** The operations of the console are described in the same way as those of the public document. */
export function describeOperations(locationCodes: readonly string[]): Document {
  const document = createOpenApi({
    operations: allOperations.map(asPublic),
    components,
    kinds,
    contactKinds,
    publicUrl: 'http://127.0.0.1:3000',
    paymentOffers: advertisedOffers(null),
    locationCodes,
  })
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  const schemas = at(document, 'components', 'schemas')
  const operations = allOperations.map((operation): Described => {
    const { name, method, path, surface, scope, actsFor } = operation
    const described = at(document, 'paths', path, method.toLowerCase())
    const content = at(described, 'requestBody', 'content')
    const body = at(content, 'application/json', 'schema')
    const pointer = `document#/paths/${escaped(path)}/${method.toLowerCase()}/responses`
    return {
      name,
      method,
      path,
      surface,
      scope,
      actsFor,
      query: parametersOf(described),
      body: Object.keys(body).length === 0 ? null : body,
      takesFile: 'application/octet-stream' in content,
      answersOf: remembered((status) =>
        consoleStatuses.has(status) && operation.errors.includes(status)
          ? { 'application/json': ajv.compile({ $ref: 'document#/components/schemas/Error' }) }
          : answersOf(ajv, { document, responses: at(described, 'responses'), pointer, status }),
      ),
    }
  })
  return { schemas, operations }
}

function asPublic(operation: AnyOperation): AnyOperation {
  return { ...operation, surface: 'api', errors: operation.errors.filter((status) => !consoleStatuses.has(status)) }
}

function parametersOf({ parameters }: JsonSchema): Parameter[] {
  const all: unknown[] = Array.isArray(parameters) ? parameters : []
  return all
    .filter(isObject)
    .flatMap(({ in: place, name, schema, required }) =>
      place === 'query' && isObject(schema) ? [{ name: String(name), schema, isRequired: required === true }] : [],
    )
}

type Asked = { document: JsonSchema; responses: JsonSchema; pointer: string; status: number }

function answersOf(ajv: Ajv2020, { document, responses, pointer, status }: Asked): ReturnType<Described['answersOf']> {
  const own = responses[String(status)]
  if (!isObject(own)) return null
  const reference = typeof own['$ref'] === 'string' ? own['$ref'] : null
  const answer = reference === null ? own : at(document, ...reference.slice('#/'.length).split('/'))
  const where = reference === null ? `${pointer}/${status}` : `document${reference}`
  const entries = Object.keys(at(answer, 'content')).map((type) => {
    const schema = { $ref: `${where}/content/${escaped(type)}/schema` }
    // Lines of JSON are a text.
    return [type, /[/+]json$/.test(type) ? ajv.compile(schema) : null] as const
  })
  return Object.fromEntries(entries)
}

/** RFC 6901 3, in the fragment of an address. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function at(value: JsonSchema, ...path: string[]): JsonSchema {
  return path.reduce((inner: JsonSchema, name) => {
    const next = inner[name]
    return isObject(next) ? next : {}
  }, value)
}

function remembered<T>(make: (status: number) => T): (status: number) => T {
  const made = new Map<number, T>()
  return (status) => {
    const known = made.get(status)
    if (known !== undefined) return known
    const value = make(status)
    made.set(status, value)
    return value
  }
}
