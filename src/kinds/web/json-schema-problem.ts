// JSON Schema as its meta-schema has it (draft 2020-12, "JSON Schema Validation"; and what the drafts before it wrote otherwise).
type Rule = (value: unknown, at: string) => string | null

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const drafts: Readonly<Record<string, Draft>> = {
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'http://json-schema.org/draft-07/schema': '7',
  'http://json-schema.org/draft-04/schema': '4',
}

export type Draft = '2020-12' | '2019-09' | '7' | '4'

/** By `$schema`; 2020-12 where there is none. */
export function draftOf(schema: object): Draft {
  const name: unknown = Object(schema).$schema
  return (typeof name === 'string' ? drafts[name.replace(/#$/, '')] : undefined) ?? '2020-12'
}

/** Schemas that people write have some ten levels; each one is a call. */
const maxDepth = 64

/** What is wrong with a schema, as a sentence that says where; null where nothing is. */
export function schemaProblem(schema: object): string | null {
  return objectProblem(schema, '')
}

function objectProblem(schema: object, at: string): string | null {
  if (at.split('.').length > maxDepth) return `Must not be nested more than ${maxDepth} levels deep.`
  for (const [keyword, value] of Object.entries(schema)) {
    const problem = rules.get(keyword)?.(value, `${at}${keyword}`) ?? null
    if (problem !== null) return problem
  }
  return null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const aSchema: Rule = (value, at) => {
  if (typeof value === 'boolean') return null
  return isRecord(value) ? objectProblem(value, `${at}.`) : `${at} must be a schema.`
}

function must(holds: (value: unknown) => boolean, what: string): Rule {
  return (value, at) => (holds(value) ? null : `${at} must be ${what}.`)
}

function listOf(rule: Rule, least = 0): Rule {
  return (value, at) => {
    if (!Array.isArray(value) || value.length < least)
      return `${at} must be a list${least === 0 ? '' : ' that is not empty'}.`
    return firstProblem(
      value.map((each: unknown, index) => [String(index), each]),
      rule,
      at,
    )
  }
}

function membersOf(rule: Rule): Rule {
  return (value, at) => (isRecord(value) ? firstProblem(Object.entries(value), rule, at) : `${at} must be an object.`)
}

function firstProblem(entries: readonly [string, unknown][], rule: Rule, at: string): string | null {
  for (const [name, value] of entries) {
    const problem = rule(value, `${at}.${name}`)
    if (problem !== null) return problem
  }
  return null
}

function either(first: Rule, second: Rule, isFirst: (value: unknown) => boolean): Rule {
  return (value, at) => (isFirst(value) ? first(value, at) : second(value, at))
}

const aText = must((value) => typeof value === 'string', 'a text')
const aNumber = must((value) => typeof value === 'number', 'a number')
const aCount = must((value) => Number.isInteger(value) && Number(value) >= 0, 'a whole number of at least 0')
const aFlag = must((value) => typeof value === 'boolean', 'true or false')
const aType = must((value) => types.some((type) => type === value), `one of ${types.join(', ')}`)
const aPattern = must(isPattern, 'a regular expression')
const schemas = listOf(aSchema, 1)
const named = membersOf(aSchema)
const bound = either(aFlag, aNumber, (value) => typeof value === 'boolean')

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return new RegExp(value, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const patterned: Rule = (value, at) => {
  if (!isRecord(value)) return `${at} must be an object.`
  const wrong = Object.keys(value).find((pattern) => !isPattern(pattern))
  return wrong === undefined ? named(value, at) : `${at} must have regular expressions as names; "${wrong}" is none.`
}

const rules: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    $schema: must(
      (value) => typeof value === 'string' && Object.hasOwn(drafts, value.replace(/#$/, '')),
      `one of ${Object.keys(drafts).join(', ')}`,
    ),
    $ref: aText,
    $defs: named,
    definitions: named,
    type: either(listOf(aType, 1), aType, Array.isArray),
    enum: listOf(() => null, 1),
    multipleOf: must((value) => typeof value === 'number' && value > 0, 'a number above 0'),
    maximum: aNumber,
    minimum: aNumber,
    exclusiveMaximum: bound,
    exclusiveMinimum: bound,
    maxLength: aCount,
    minLength: aCount,
    pattern: aPattern,
    format: aText,
    items: either(listOf(aSchema), aSchema, Array.isArray),
    prefixItems: schemas,
    additionalItems: aSchema,
    unevaluatedItems: aSchema,
    contains: aSchema,
    maxContains: aCount,
    minContains: aCount,
    maxItems: aCount,
    minItems: aCount,
    uniqueItems: aFlag,
    properties: named,
    patternProperties: patterned,
    additionalProperties: aSchema,
    unevaluatedProperties: aSchema,
    propertyNames: aSchema,
    maxProperties: aCount,
    minProperties: aCount,
    required: listOf(aText),
    dependentRequired: membersOf(listOf(aText)),
    dependentSchemas: named,
    dependencies: membersOf(either(listOf(aText), aSchema, Array.isArray)),
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: aSchema,
    if: aSchema,
    else: aSchema,
  }),
).set('then', aSchema)
