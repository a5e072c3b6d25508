import { t } from '@lingui/core/macro'

/** What the service says of a value: JSON Schema (draft 2020-12), as far as its forms go. */
export type Schema = {
  type?: string | readonly string[]
  enum?: readonly (string | null)[]
  description?: string
  default?: unknown
  format?: string
  writeOnly?: boolean
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

/** How a value is typed in. */
export type Shape = 'text' | 'lines' | 'number' | 'flag' | 'choice' | 'texts' | 'objects' | 'pairs' | 'json'

/** Longer texts are typed in several lines. */
const longestLine = 4096

export function shapeOf(schema: Schema): Shape {
  if (schema.enum !== undefined) return 'choice'
  if (isOf(schema, 'boolean')) return 'flag'
  if (isOf(schema, 'integer') || isOf(schema, 'number')) return 'number'
  if (isOf(schema, 'array')) return schema.items?.properties === undefined ? 'texts' : 'objects'
  if (isOf(schema, 'object')) return mayHoldAnything(schema) ? 'json' : 'pairs'
  if (isOf(schema, 'string')) return (schema.maxLength ?? 0) > longestLine ? 'lines' : 'text'
  return 'json'
}

function mayHoldAnything({ additionalProperties: members }: Schema): boolean {
  return typeof members === 'object' && members.type === undefined
}

export function isNullable(schema: Schema): boolean {
  return isOf(schema, 'null')
}

/** What counts where nothing is given: said by the schema itself, or by its words ("Default 300."). */
export function defaultOf({ default: own, description = '' }: Schema): unknown {
  if (own !== undefined) return own
  const [, word] = /\bDefault `?([\w-]+)`?[.;]/.exec(description) ?? []
  if (word === undefined) return undefined
  if (word === 'true' || word === 'false') return word === 'true'
  return /^\d+$/.test(word) ? Number(word) : word
}

/** Whether a value may be of this type of JSON Schema. */
export function isOf({ type }: Schema, name: string): boolean {
  return typeof type === 'string' ? type === name : (type?.includes(name) ?? false)
}

/** As a label: `max_latency_ms` is "Max latency", in milliseconds. */
export function labelOf(name: string): { label: string; unit: string | null } {
  const words = name.split('_')
  const unit = units[words.at(-1) ?? '']?.() ?? null
  const named = unit === null ? words : words.slice(0, -1)
  const isBound = named.at(-1) === 'min' || named.at(-1) === 'max'
  const ordered = isBound ? [...named.slice(-1), ...named.slice(0, -1)] : named
  const [first = '', ...rest] = ordered.map((word) => spelled[word] ?? word)
  return { label: [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' '), unit }
}

const units: Readonly<Record<string, () => string>> = { ms: () => 'ms', days: () => t`days`, percent: () => '%' }

const spelled: Readonly<Record<string, string>> = {
  api: 'API',
  aws: 'AWS',
  mpp: 'MPP',
  oauth2: 'OAuth 2',
  base64: '(base64)',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  dnsbl: 'DNSBL',
  http: 'HTTP',
  id: 'ID',
  ids: 'IDs',
  json: 'JSON',
  max: 'highest',
  min: 'lowest',
  sid: 'SID',
  url: 'URL',
}

/** The schema's own words, without the marks of code, the default that the field shows, and what is of the wire. */
export function hintOf({ description }: Schema): string | undefined {
  const text = wireWords.reduce((words, part) => words.replace(part, ''), description?.replaceAll('`', '') ?? '').trim()
  return text === '' ? undefined : text
}

/** What only those have to know who write JSON. */
const wireWords = [/\s*Default \w+\.$/, /; null for none/, / Left out of a change they stay, null clears them\./]

/** The values of a choice, as words. */
export function choiceLabel(value: string): string {
  if (/^[A-Z]/.test(value) || value === 'x402') return value
  const { label } = labelOf(value)
  return value === 'tls' || value === 'starttls' ? value.toUpperCase() : label
}
