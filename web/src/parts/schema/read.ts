import { type Schema, shapeOf } from '../../api/schema.ts'
import { isStatusMember, readStatuses, statusFieldOf } from './status-codes.ts'

/** Reads the fields of a form in the shape that the service takes; undefined where all are empty. */
export function readValue(schema: Schema, name: string, data: FormData): unknown {
  switch (shapeOf(schema)) {
    case 'text':
    case 'lines':
    case 'choice':
      return textOf(data, name) || secretOf(schema, name, data)
    case 'number':
      return numberOf(textOf(data, name).trim())
    case 'flag':
      return data.has(name)
    case 'json':
      return jsonOf(textOf(data, name))
    case 'texts':
      return someOf(
        rowsOf(name, data)
          .map((row) => textOf(data, row).trim())
          .filter((text) => text !== ''),
      )
    case 'pairs':
      return pairsOf(name, data)
    case 'objects':
      return someOf(rowsOf(name, data).map((row) => readObject(schema.items ?? {}, row, data)))
  }
}

export function readObject(schema: Schema, name: string, data: FormData): Record<string, unknown> {
  const members = Object.entries(schema.properties ?? {}).map(([member, each]) => {
    const own = name === '' ? member : `${name}.${member}`
    return [member, isStatusMember(own) ? readStatus(own, data) : readValue(each, own, data)] as const
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** A member of the codes that count as right, all of which stand in one field. */
export function readStatus(name: string, data: FormData): unknown {
  return readStatuses(name, textOf(data, statusFieldOf(name)))
}

/** How secrets are treated that are there already, and never shown: kept unless something is typed. */
export type SecretChoice = 'keep' | 'replace' | 'remove'

/** The name of the field that says so. */
export function choiceName(name: string): string {
  return `${name}.secret`
}

/** `null` clears the secret; a secret that is left out stays (docs/decisions/api-surface.md, "Secrets in options"). */
function secretOf({ writeOnly }: Schema, name: string, data: FormData): null | undefined {
  return writeOnly === true && data.get(choiceName(name)) === 'remove' ? null : undefined
}

function pairsOf(name: string, data: FormData): unknown {
  const choice = data.get(choiceName(name))
  if (choice === 'keep') return undefined
  if (choice === 'remove') return null
  const names = data.getAll(`${name}.names`).map(String)
  const values = data.getAll(`${name}.values`).map(String)
  const pairs = names.map((each, index) => [each.trim(), values[index] ?? ''] as const)
  const given = pairs.filter(([each, value]) => each !== '' || value !== '')
  if (given.length === 0) return choice === 'replace' ? null : undefined
  return Object.fromEntries(given)
}

export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** A text that is no number stays as it was typed, and is refused as that. */
export function numberOf(text: string): number | string | undefined {
  if (text === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

/** A word that is no JSON is meant as a text. */
function jsonOf(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function someOf<Item>(items: Item[]): Item[] | undefined {
  return items.length === 0 ? undefined : items
}

/** `steps.0`, `steps.1` and so on, as far as there are fields of them. */
function rowsOf(name: string, data: FormData): string[] {
  const rows = new Set<string>()
  for (const key of data.keys()) {
    const [, row] = key.startsWith(`${name}.`) ? (/^(\d+)(?:\.|$)/.exec(key.slice(name.length + 1)) ?? []) : []
    if (row !== undefined) rows.add(`${name}.${row}`)
  }
  return [...rows]
}
