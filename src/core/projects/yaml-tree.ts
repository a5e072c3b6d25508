import {
  type AliasEvent,
  type Event,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml'
import { type Place, type ProjectError, refused } from './project-error.ts'
import { type Fields, type Member, type ScalarValue, sizeOf, type Tree } from './tree.ts'

/** `file` is its name for problems. */
export type Source = { file: string; text: string }

export const maxFileLength = 1_000_000
const maxDepth = 64
/** Parts of a file, with what aliases repeat counted each time: an alias of aliases cannot outgrow it. */
const maxParts = 200_000

/** What a YAML 1.2 file says, by the core schema; null where it says nothing. Throws ProjectError alone. */
export function readYaml({ file, text }: Source): Tree | null {
  if (text.length > maxFileLength)
    throw refused({ file, line: 1 }, `Is longer than ${maxFileLength} characters; divide it into several files.`)
  const reader = new Reader({ file, text }, eventsOf({ file, text }))
  return reader.document()
}

function eventsOf({ file, text }: Source): Event[] {
  try {
    return parseEvents(text, { maxDepth })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    throw refused({ file, line: (error.mark?.line ?? 0) + 1 }, `Is not valid YAML: ${error.reason}.`)
  }
}

type Positioned = { anchorStart: number; anchorEnd: number; tagStart: number }

/** Goes along the events of one file. */
class Reader {
  readonly #file: string
  readonly #text: string
  readonly #events: readonly Event[]
  readonly #lineStarts: readonly number[]
  readonly #anchors = new Map<string, Tree>()
  #at = 0
  #offset = 0
  #parts = 0

  constructor({ file, text }: Source, events: readonly Event[]) {
    this.#file = file
    this.#text = text
    this.#events = events
    this.#lineStarts = [0, ...[...text.matchAll(/\r\n|[\r\n]/g)].map(({ index, 0: end }) => index + end.length)]
  }

  document(): Tree | null {
    const documents = this.#events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length
    if (documents === 0) return null
    if (documents > 1) throw this.#refuse('Has more than one YAML document.')
    this.#at = 1
    const tree = this.#tree()
    return tree.type === 'scalar' && tree.value === null ? null : tree
  }

  #tree(): Tree {
    this.#count(1)
    const event = this.#next()
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#named(event, this.#scalar(event))
      case EVENT_ID.SEQUENCE:
        return this.#named(event, this.#list(this.#placeAt(event.start)))
      case EVENT_ID.MAPPING:
        return this.#named(event, this.#fields(this.#placeAt(event.start)))
      case EVENT_ID.ALIAS:
        return this.#alias(event)
      case EVENT_ID.DOCUMENT:
      case EVENT_ID.POP:
      case undefined:
        throw this.#refuse('Is not valid YAML: a value is missing.')
    }
  }

  #scalar(event: ScalarEvent): Tree {
    const place = this.#placeAt(event.valueStart)
    const text = getScalarValue(this.#text, event)
    const isPlain = event.style === SCALAR_STYLE.PLAIN
    return { type: 'scalar', place, value: isPlain ? resolve(text) : text, isPlain }
  }

  #list(place: Place): Tree {
    const items: Tree[] = []
    while (!this.#ends()) items.push(this.#tree())
    return { type: 'list', place, items }
  }

  #fields(place: Place): Fields {
    const members = new Map<string, Member>()
    while (!this.#ends()) {
      const event = this.#next()
      if (event?.type !== EVENT_ID.SCALAR) throw this.#refuse('A name must be a text.')
      const keyPlace = this.#placeAt(event.valueStart)
      const written = getScalarValue(this.#text, event)
      if (members.has(written)) throw refused(keyPlace, `Names ${JSON.stringify(written)} twice.`)
      members.set(written, { written, place: keyPlace, tree: this.#tree() })
    }
    return { type: 'fields', place, members }
  }

  #alias({ anchorStart, anchorEnd }: AliasEvent): Tree {
    const name = this.#text.slice(anchorStart, anchorEnd)
    const tree = this.#anchors.get(name)
    if (tree === undefined) throw refused(this.#placeAt(anchorStart), `There is no anchor &${name} before.`)
    this.#count(sizeOf(tree))
    return tree
  }

  /** An anchor is known once its value is whole, so that no value holds itself. */
  #named(event: Positioned, tree: Tree): Tree {
    if (event.tagStart >= 0) throw refused(tree.place, 'Tags such as !!str have no meaning here; quote a text instead.')
    if (event.anchorStart >= 0) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), tree)
    return tree
  }

  #count(parts: number): void {
    this.#parts += parts
    if (this.#parts > maxParts) throw this.#refuse(`Has more than ${maxParts} values, with what aliases repeat.`)
  }

  #next(): Event | undefined {
    const event = this.#events[this.#at]
    this.#at += 1
    return event
  }

  #ends(): boolean {
    const event = this.#events[this.#at]
    if (event !== undefined && event.type !== EVENT_ID.POP) return false
    this.#at += 1
    return true
  }

  /** A value that is left empty has no place of its own: it gets that of what stands before it. */
  #placeAt(offset: number): Place {
    if (offset >= 0) this.#offset = offset
    let low = 0
    let high = this.#lineStarts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#lineStarts[middle] ?? 0) <= this.#offset) low = middle
      else high = middle
    }
    return { file: this.#file, line: low + 1 }
  }

  #refuse(message: string): ProjectError {
    return refused(this.#placeAt(-1), message)
  }
}

/** What a text without quotes means (YAML 1.2.2 10.3.2). JSON has no infinity, so that one stays a text. */
function resolve(text: string): ScalarValue {
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(text)) return Number(text)
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(text)) return finite(text)
  return text
}

function finite(text: string): ScalarValue {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}
