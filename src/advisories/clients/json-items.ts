import { FeedError } from './feed.ts'

/** Takes a JSON document in pieces and passes on the texts of one of its arrays' elements as they become complete. */
export type ItemReader = {
  /** True once `onItem` has returned true for enough. */
  write: (piece: Uint8Array) => boolean
  /**
   * Returns the document around the items, with an empty array in their place. Throws FeedError where it is cut off.
   */
  end: () => unknown
}

/**
 * `member` names an array in the document's object; null where the document is the array. Elements have to be objects,
 * whose own text is not looked at, and only one is held at a time, since a document may be larger than the memory.
 * Throws FeedError for any other document.
 */
export function createItemReader(member: string | null, onItem: (item: string) => boolean): ItemReader {
  const decoder = new TextDecoder()
  const reading: Reading = {
    name: member === null ? null : `${member}"`,
    text: '',
    before: [],
    beforeLength: 0,
    at: 0,
    from: 0,
    nameAt: 0,
    depth: 0,
    isInString: false,
    place: 'around',
    frame: '',
  }
  return {
    write: (piece) => {
      reading.text += decoder.decode(piece, { stream: true })
      const isEnough = scan(reading, onItem)
      letGo(reading)
      return isEnough
    },
    end: () => {
      const { depth, isInString, place } = reading
      const frame = reading.frame + reading.text.slice(reading.from)
      if (depth !== 0 || isInString || place !== 'around' || frame.trim() === '') throw broken('ends in the middle')
      return parse(frame)
    },
  }
}

/** Limits of one item, and of everything around the items. */
const maxItemLength = 8 * 1024 * 1024
const maxFrameLength = 64 * 1024

type Reading = {
  /** The name of the array with the quote that ends it. */
  readonly name: string | null
  /**
   * Text that has come and is still needed; `at` is the next character, `from` the first one of the item or of the
   * frame.
   */
  text: string
  /** What came of the present item in earlier pieces: joined once, when the item is complete. */
  before: string[]
  beforeLength: number
  at: number
  from: number
  /** Where the last string in the document's own object begins. */
  nameAt: number
  depth: number
  isInString: boolean
  place: 'around' | 'between' | 'within'
  frame: string
}

function scan(reading: Reading, onItem: (item: string) => boolean): boolean {
  for (; reading.at < reading.text.length; reading.at += 1) {
    if (reading.isInString) {
      if (!endString(reading)) return false
      continue
    }
    const character = reading.text[reading.at]
    if (character === '"') beginString(reading)
    else if (character === '{' || character === '[') open(reading, character)
    else if ((character === '}' || character === ']') && close(reading, onItem)) return true
  }
  return false
}

function beginString(reading: Reading): void {
  reading.isInString = true
  if (reading.depth === 1) reading.nameAt = reading.at + 1
}

/** Advances to the quote that ends a string; false where that has not come yet. */
function endString(reading: Reading): boolean {
  for (let from = reading.at; ;) {
    const quote = reading.text.indexOf('"', from)
    const end = quote === -1 ? reading.text.length : quote
    const escapes = backslashesBefore(reading.text, end, reading.at)
    if (quote === -1) {
      // Pairs of backslashes are done with; a single one belongs to what comes next.
      reading.at = end - (escapes % 2)
      return false
    }
    if (escapes % 2 === 0) {
      reading.at = quote
      reading.isInString = false
      return true
    }
    from = quote + 1
  }
}

function backslashesBefore(text: string, end: number, from: number): number {
  let count = 0
  while (end - count > from && text[end - count - 1] === '\\') count += 1
  return count
}

function open(reading: Reading, character: string): void {
  reading.depth += 1
  const { name, depth, place, text, at } = reading
  const itemDepth = name === null ? 2 : 3
  if (place === 'between' && depth === itemDepth) {
    reading.place = 'within'
    reading.from = at
  }
  if (place !== 'around' || character !== '[' || depth !== itemDepth - 1) return
  if (name !== null && !text.startsWith(name, reading.nameAt)) return
  reading.frame += text.slice(reading.from, at + 1)
  if (reading.frame.length > maxFrameLength) throw broken('has a part that is too long')
  Object.assign(reading, { place: 'between', from: at + 1 })
}

function close(reading: Reading, onItem: (item: string) => boolean): boolean {
  reading.depth -= 1
  const { name, depth, place, text, at, from } = reading
  const arrayDepth = name === null ? 1 : 2
  if (place === 'between' && depth === arrayDepth - 1) Object.assign(reading, { place: 'around', from: at })
  if (place !== 'within' || depth !== arrayDepth) return false
  const end = text.slice(from, at + 1)
  const item = reading.before.length === 0 ? end : reading.before.join('') + end
  reading.place = 'between'
  reading.from = at + 1
  if (reading.before.length > 0) Object.assign(reading, { before: [], beforeLength: 0 })
  return onItem(item)
}

/**
 * Drops text that is not needed any more. Text around the items is kept until the array begins, because the array's
 * name may come in pieces.
 */
function letGo(reading: Reading): void {
  if (reading.place === 'within') return setAside(reading)
  const kept = reading.place === 'between' ? Math.min(reading.at, reading.text.length) : reading.from
  reading.text = reading.text.slice(kept)
  reading.at -= kept
  reading.nameAt -= kept
  reading.from = 0
  if (reading.text.length > maxFrameLength) throw broken('has a part that is too long')
}

/** Puts aside what was looked at of an item that goes on, so that no piece is looked at again. */
function setAside(reading: Reading): void {
  reading.before.push(reading.text.slice(reading.from, reading.at))
  reading.beforeLength += reading.at - reading.from
  Object.assign(reading, { text: reading.text.slice(reading.at), at: 0, from: 0 })
  if (reading.beforeLength + reading.text.length > maxItemLength) throw broken('has a part that is too long')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FeedError(broken('is no JSON').message, { cause })
  }
}

function broken(what: string): FeedError {
  return new FeedError(`The answer of a feed ${what}.`)
}
