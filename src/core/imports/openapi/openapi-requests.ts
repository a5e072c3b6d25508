// Requests of operations, with the values that a document gives for what they need.
import { z } from 'zod'
import { textOrNull } from '#core/imports/import-json.ts'
import { membersOf, type Resolve } from './openapi-references.ts'

const serverSchema = z.object({
  url: z.string(),
  variables: z.record(z.string(), z.object({ default: textOrNull })).nullish(),
})

/** The first server of the innermost list that has one, without its last slash; null where none has an address. */
export function serverOf(lists: readonly unknown[]): string | null {
  const list = lists.find((each): each is unknown[] => Array.isArray(each) && each.length > 0)
  const parsed = serverSchema.safeParse(list?.[0])
  if (!parsed.success) return null
  const { url, variables } = parsed.data
  const filled = url.slice(0, longestAddress).replaceAll(/\{([^{}]{1,200})\}/g, (whole, name: string) => {
    const found =
      variables !== null && variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : null
    return found?.default ?? whole
  })
  return /^https?:\/\/[^/?#{}\s]+/i.test(filled) && !/[{}]/.test(filled)
    ? filled.replace(/[?#].*$/s, '').replace(/\/$/, '')
    : null
}

const longestAddress = 2_048

const parameterSchema = z.object({
  name: z.string().max(1_000),
  in: z.string(),
  required: z.boolean().nullish(),
  example: z.unknown().optional(),
  examples: z.unknown().optional(),
  schema: z.unknown().optional(),
  style: textOrNull,
  explode: z.boolean().nullish(),
})
type Parameter = z.infer<typeof parameterSchema>

export type NeededValues = {
  /** By the name in the path. */
  path: ReadonlyMap<string, string>
  query: readonly (readonly [name: string, value: string])[]
  headers: readonly (readonly [name: string, value: string])[]
  /** Names of parameters that are required and have no value. */
  missing: readonly string[]
}

const mostParameters = 500

/** Those of an operation take the place of those of its path. */
export function neededValues(lists: readonly unknown[], resolve: Resolve): NeededValues {
  const parameters = new Map<string, Parameter>()
  for (const list of lists)
    for (const each of Array.isArray(list) ? list.slice(0, mostParameters) : []) {
      const parsed = parameterSchema.safeParse(resolve(each))
      if (parsed.success) parameters.set(`${parsed.data.in} ${parsed.data.name}`, parsed.data)
    }
  const path = new Map<string, string>()
  const query: [string, string][] = []
  const headers: [string, string][] = []
  const cookies: string[] = []
  const missing: string[] = []
  for (const parameter of parameters.values()) {
    if (parameter.required !== true && parameter.in !== 'path') continue
    const values = valuesOf(parameter, resolve)
    const [first] = values
    if (first === undefined) missing.push(parameter.name)
    else if (parameter.in === 'path') path.set(parameter.name, values.join(','))
    else if (parameter.in === 'query') query.push(...queryPairs(parameter, values))
    else if (parameter.in === 'header') headers.push([parameter.name, values.join(',')])
    else if (parameter.in === 'cookie') cookies.push(`${parameter.name}=${encodeURIComponent(first.toWellFormed())}`)
  }
  if (cookies.length > 0) headers.push(['cookie', cookies.join('; ')])
  return { path, query, headers, missing }
}

/** A list is sent as one value or as several, as its style says (OpenAPI 3.1.1, 4.8.12.2). */
function queryPairs({ name, style, explode }: Parameter, values: readonly string[]): [string, string][] {
  const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }
  const isExploded = explode ?? (style === null || style === 'form')
  if (isExploded) return values.map((value) => [name, value])
  return [[name, values.join(separators[style ?? 'form'] ?? ',')]]
}

/** None where the document has no example and no value to begin with, or one that is no text, number or list of them. */
function valuesOf({ example, examples, schema }: Parameter, resolve: Resolve): string[] {
  const named = Object.values(membersOf(examples)).map((each) => membersOf(resolve(each))['value'])
  const { example: own, examples: list, default: usual, const: only, enum: allowed } = membersOf(resolve(schema))
  const [firstListed, firstAllowed] = [list, allowed].map((values) => (Array.isArray(values) ? values[0] : undefined))
  const given = [example, named[0], own, firstListed, usual, only, firstAllowed].find((value) => value !== undefined)
  const values = Array.isArray(given) ? given.slice(0, 50) : [given]
  const texts = values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)).map(String)
  return texts.length === values.length && texts.every((text) => text !== '') ? texts : []
}

/** Null where a part of the path has no value. */
export function pathWith(path: string, values: ReadonlyMap<string, string>): string | null {
  const filled = path.replaceAll(/\{([^{}]{1,1000})\}/g, (whole, name: string) => {
    const value = values.get(name)
    return value === undefined ? whole : encodeURIComponent(value.toWellFormed())
  })
  return /[{}]/.test(filled) ? null : filled
}
