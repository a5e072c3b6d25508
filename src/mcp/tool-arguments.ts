import { type Fields, fail } from '#core/language/error.ts'
import { toolParametersOf } from '#api-document/openapi-parameters.ts'
import { type JsonSchema, isObject } from '#api-document/openapi-schemas.ts'
import { pathNames } from '#operations/pipeline/define-operation.ts'
import type { RawRequest, WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { keyArgument, keyHeader } from './tool-schemas.ts'

export type Arguments = Record<string, unknown>

/** What a call says beside its arguments. */
type Beside = { payment?: unknown; problems?: Fields }

/**
 * The request that an operation would have got over HTTP, less the arguments that `problems` names. All but what cannot
 * be wrong there, namely the names of arguments and the presence of those in the path, is left to the operation to
 * judge, which names all that is wrong at once.
 */
export function requestOf(
  operation: WorkspaceVerb,
  given: Arguments,
  { payment, problems = {} }: Beside = {},
): RawRequest {
  const taken = Object.entries(given).filter(([name]) => !Object.hasOwn(problems, name))
  const { path, query, key, body } = partsOf(operation, Object.fromEntries(taken))
  return {
    path: texts(path),
    query: texts(query),
    readBody: async (maxBytes) => bodyOf(operation, body, maxBytes),
    idempotencyKey: key === undefined ? null : textOf(key),
    payment,
    argumentProblems: problems,
  }
}

/** What a schema does not know, and what of the path is missing. */
export function nameProblems(schema: JsonSchema, operation: WorkspaceVerb, given: Arguments): Fields {
  const known = isObject(schema['properties']) ? schema['properties'] : {}
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  const missing = pathNames(operation).filter((name) => given[name] === undefined)
  return {
    ...Object.fromEntries(unknown.map((name) => [name, ['Unknown argument.']])),
    ...Object.fromEntries(missing.map((name) => [name, ['This field is required.']])),
  }
}

/** A refusal in the words of the tool: all is called as over HTTP, but for the one header. */
export function withArgumentNames(body: unknown): unknown {
  if (!isObject(body)) return body
  const { message, fields } = body
  return {
    ...body,
    ...(typeof message === 'string' ? { message: argumentNamed(message) } : {}),
    ...(isObject(fields)
      ? { fields: Object.fromEntries(Object.entries(fields).map(([name, of]) => [argumentNamed(name), of])) }
      : {}),
  }
}

function argumentNamed(words: string): string {
  return words.replaceAll(keyHeader, keyArgument)
}

type Parts = { path: Arguments; query: Arguments; body: Arguments; key: unknown }

function partsOf(operation: WorkspaceVerb, given: Arguments): Parts {
  const places = new Map(toolParametersOf(operation).map(({ name, in: place }) => [argumentName(name, place), place]))
  const parts: Parts = { path: {}, query: {}, body: {}, key: undefined }
  for (const [name, value] of Object.entries(given)) {
    const place = places.get(name)
    if (place === 'header') parts.key = value
    else if (place === 'path' || place === 'query') parts[place][name] = value
    else parts.body[name] = value
  }
  return parts
}

function argumentName(name: unknown, place: unknown): string {
  return place === 'header' ? keyArgument : String(name)
}

function texts(values: Arguments): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]))
}

/** As it would stand in an address or a header, where values of a list are separated by commas. */
function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function bodyOf({ body }: WorkspaceVerb, given: Arguments, maxBytes: number): unknown {
  if (body?.isRequired === false && Object.keys(given).length === 0) return undefined
  if (Buffer.byteLength(JSON.stringify(given)) > maxBytes)
    throw fail('too_large', `The arguments are larger than ${maxBytes} bytes.`)
  return given
}
