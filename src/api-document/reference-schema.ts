import { escapeHtml } from '#http/html-page.ts'
import { type Member, membersOf, nameOf, type Schema } from './reference-document.ts'

/** Objects in objects are shown so deep; a deeper one is an `object`. */
const maxDepth = 4

/** Prose of the document: blank lines part paragraphs, backticks make code. */
export function proseOf(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inlineOf(paragraph)}</p>`)
    .join('')
}

export function inlineOf(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join('')
}

/** The members of an object as a table; empty for what has none. */
export function tableOf(schema: Schema): string {
  const rows = rowsOf(schema, '', 0)
  return rows.length === 0
    ? ''
    : `<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Rules</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** One row of the same kind, for parameters. */
export function rowOf({ name, isRequired, schema }: Member): string {
  const rules = [isRequired ? 'Required.' : '', inlineOf(schema.description ?? ''), ...limitsOf(schema)]
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeOf(schema)}</td><td>${rules.filter(Boolean).join(' ')}</td></tr>`
}

function rowsOf(schema: Schema, prefix: string, depth: number): string[] {
  return membersOf(schema).flatMap((member) => {
    const name = `${prefix}${member.name}`
    const inner = depth >= maxDepth ? null : innerOf(member.schema)
    const row = rowOf({ ...member, name })
    return inner === null ? [row] : [row].concat(rowsOf(inner.schema, `${name}${inner.isList ? '[]' : ''}.`, depth + 1))
  })
}

/** The object that stands in a member, or in the list that it is. */
function innerOf(schema: Schema): { schema: Schema; isList: boolean } | null {
  const { items, properties } = schema
  if (items?.properties !== undefined) return { schema: items, isList: true }
  return properties === undefined ? null : { schema, isList: false }
}

/** `string`, `integer or null`, `array of Monitor` with a link, `one of HttpInput, ApiInput`. */
export function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== null) return `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`
  const several = schema.oneOf ?? schema.anyOf
  if (several !== undefined) return several.map(typeOf).join(' or ')
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any'])
  return types.map((type) => (type === 'array' ? listTypeOf(schema) : escapeHtml(plainType(type, schema)))).join(' or ')
}

function listTypeOf({ items }: Schema): string {
  return items === undefined ? 'array' : `array of ${typeOf(items)}`
}

function plainType(type: string, { format }: Schema): string {
  return type === 'string' ? (format ?? type) : type
}

/** What of the rules the description does not say, as sentences. */
export function limitsOf(schema: Schema): string[] {
  const saysDefault = schema.description?.includes('Default') ?? false
  const choices = (schema.enum ?? []).map((choice) => `<code>${escapeHtml(wordOf(choice))}</code>`)
  return [
    choices.length === 0 ? '' : `One of ${choices.join(', ')}.`,
    rangeOf(schema.minimum, schema.maximum, ''),
    rangeOf(schema.minLength, schema.maxLength, ' characters'),
    rangeOf(schema.minItems, schema.maxItems, ' items'),
    schema.default === undefined || saysDefault ? '' : `Default <code>${escapeHtml(wordOf(schema.default))}</code>.`,
    schema.writeOnly === true ? 'Never shown.' : '',
  ].filter((text) => text !== '')
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`
  if (most !== undefined) return `At most ${most}${unit}.`
  return least === undefined ? '' : `At least ${least}${unit}.`
}
