// What answers of a recording handed out, and which later requests sent again.
import { readAs } from '#core/imports/import-json.ts'
import { isRandomLooking } from '#core/imports/requests/secret-values.ts'
import {
  type Capture,
  captureName,
  createStepSecrets,
  maxCaptures,
  type RequestStep,
  type StepSecrets,
} from '#core/imports/requests/transaction.ts'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { followPath, pathProblem } from '#core/language/json-path.ts'
import { type HarEntry, headersSchema } from './har-rows.ts'

export type HandedOut = {
  /** Remembers what an answer has, as that of a step. */
  learn: (answered: HarEntry, step: RequestStep, place: string) => void
  /** Has the value captured where an earlier answer had it, and returns what stands for it; null otherwise. */
  take: (value: string) => string | null
  /** Keeps a secret apart from the steps, and returns what stands for it; null where it cannot be kept. */
  seal: StepSecrets['seal']
  secrets: StepSecrets['all']
  /** Whether the file lacks the body of an answer that may have handed out values. */
  isIncomplete: () => boolean
}

type Place = { json_path: string } | { header: string } | { selector: string; selector_attribute: string }
type Source = { step: RequestStep; where: Place; wish: string; name: string | null }

export function createHandedOut(): HandedOut {
  const sources = new Map<string, Source>()
  const names = new Set<string>()
  const { seal, all: secrets } = createStepSecrets(names)
  let isIncomplete = false
  return {
    learn: (answered, step, place) => {
      if (mayHandOut(answered) && (answered.response?.content?.text ?? '') === '') isIncomplete = true
      for (const { value, where, wish } of valuesOf(answered, place))
        if (!sources.has(value)) sources.set(value, { step, where, wish, name: null })
    },
    take: (value) => {
      const source = sources.get(value)
      if (source === undefined) return null
      if (source.name === null) {
        if (source.step.captures.length >= maxCaptures) return null
        source.name = captureName(source.wish, names)
        const capture: Capture = { name: source.name, ...source.where }
        source.step.captures.push(capture)
      }
      return `{{${source.name}}}`
    },
    seal,
    secrets,
    isIncomplete: () => isIncomplete,
  }
}

function mayHandOut({ response }: HarEntry): boolean {
  return /\b(?:json|html)\b/i.test(response?.content?.mimeType ?? '')
}

type Handed = { value: string; where: Place; wish: string }

function valuesOf(answered: HarEntry, place: string): Handed[] {
  const text = mayHandOut(answered) ? textOf(answered) : ''
  const json = parseBoundedJson(text)
  return [...ofHeaders(answered, place), ...(json.type === 'value' ? ofJson(json.value) : ofPage(text))]
}

function ofHeaders({ response }: HarEntry, place: string): Handed[] {
  const headers = readAs(response?.headers ?? null, headersSchema, `${place}.response.headers`) ?? []
  return headers.flatMap(({ name, value }): Handed[] => {
    const isHeader = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/.test(name)
    return isHeader && isRandomLooking(value) ? [{ value, where: { header: name.toLowerCase() }, wish: name }] : []
  })
}

function textOf({ response }: HarEntry): string {
  const { text, encoding = '' } = response?.content ?? {}
  if (text === null || text === undefined || encoding !== 'base64') return text ?? ''
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

const maxValues = 20_000
const maxDepth = 32
const longestPath = 200

/** Where the same value stands more than once, the first of its places counts. */
function ofJson(root: unknown): Handed[] {
  const found = new Map<string, Handed>()
  const open: { value: unknown; path: readonly string[] }[] = [{ value: root, path: [] }]
  for (let seen = 0; seen < maxValues; seen += 1) {
    const next = open.pop()
    if (next === undefined) break
    const { value, path } = next
    if (typeof value === 'string') {
      const where = path.join('.')
      if (isRandomLooking(value) && leadsTo(root, where, value) && !found.has(value))
        found.set(value, {
          value,
          where: { json_path: where },
          wish: path.findLast((part) => !/^\d+$/.test(part)) ?? '',
        })
    } else if (typeof value === 'object' && value !== null && path.length < maxDepth) {
      const members = Object.entries(value).slice(0, maxValues - seen)
      for (const [name, member] of members.toReversed()) open.push({ value: member, path: [...path, name] })
    }
  }
  return [...found.values()]
}

/** Names of members may have dots, which a path reads in its own way. */
function leadsTo(root: unknown, path: string, value: string): boolean {
  if (path.length > longestPath || pathProblem(path) !== null) return false
  const found = followPath(root, path)
  return found.isFound && found.value === value
}

const maxElements = 1_000
const longestElement = 1_000

/** Fields of forms, and what a page tells its own scripts; of each name the first, which a check finds. */
function ofPage(page: string): Handed[] {
  const found = new Map<string, Handed>()
  let left = maxElements
  for (const { 1: tag = '', index } of page.matchAll(/<(input|meta)\b/gi)) {
    if (left-- === 0) break
    const attributes = attributesOf(page.slice(index + 1 + tag.length, index + longestElement))
    const name = attributes.get('name') ?? ''
    const attribute = tag.toLowerCase() === 'input' ? 'value' : 'content'
    const selector = `${tag.toLowerCase()}[name="${name}"]`
    if (!/^[\w.:[\]-]{1,100}$/.test(name) || found.has(selector)) continue
    const value = attributes.get(attribute) ?? ''
    found.set(selector, { value, where: { selector, selector_attribute: attribute }, wish: name })
  }
  return [...found.values()].filter(({ value }) => isRandomLooking(value))
}

function attributesOf(element: string): Map<string, string> {
  const found = new Map<string, string>()
  // Each name is begun at its first character alone, so that long ones are passed over once.
  const attribute = /(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))|>/g
  for (const [whole, name = '', double, single, bare] of element.matchAll(attribute)) {
    if (whole === '>') break
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), double ?? single ?? bare ?? '')
  }
  return found
}
