// What was typed into forms and not saved, kept by this browser across a reload, a closed tab and a crash.
import { isFields, isFlag, isMembers, recordOf } from './draft-shape.ts'

/** What the fields of a form say, by their place in it (`draft-fields.ts`). */
export type Fields = Readonly<Record<string, string>>
/** What a form says: its fields, and what it holds beside them, by name. */
export type Said = { fields: Fields; held: Readonly<Record<string, unknown>> }

export type Draft = {
  /** When something was typed last, in milliseconds since 1970. */
  at: number
  /** What the form said before anything was typed. */
  base: Said
  typed: Said
  /** Secrets were typed as well: they are not in here. */
  hadSecrets: boolean
}

const keptMs = 7 * 86_400_000
/** Of all forms and persons of this browser, the newest. */
export const mostDrafts = 20
/** Characters of one draft: what is longer is not kept, so that twenty of them always fit into what browsers give. */
export const longestDraft = 100_000

const prefix = 'perigee.draft.'

/** What of the browser's `localStorage` is needed. */
export type DraftStorage = {
  readonly length: number
  key: (index: number) => string | null
  getItem: (key: string) => string | null
  setItem: (key: string, text: string) => void
  removeItem: (key: string) => void
}

type Place = { person: string; workspace: string; address: string; form: string }

export function draftKey({ person, workspace, address, form }: Place): string {
  return `${prefix}${[person, workspace, address, form].map(encodeURIComponent).join('.')}`
}

/** Null where there is none, where it is too old, and where what is there is no draft. */
export function readDraft(storage: DraftStorage, key: string, now: number): Draft | null {
  const text = storage.getItem(key) ?? ''
  const at = timeOf(text)
  if (at === null || !isFresh(at, now)) return null
  const content = parsed(text.slice(text.indexOf(' ')))
  return isContent(content) ? { at, ...content } : null
}

/** Keeps it in place of an earlier one. One that is too long, or finds no room, is not kept, and neither is the earlier. */
export function writeDraft(storage: DraftStorage, key: string, { at, ...content }: Draft): void {
  const text = `${at} ${JSON.stringify(content)}`
  storage.removeItem(key)
  makeRoom(storage, at)
  if (text.length > longestDraft) return
  try {
    storage.setItem(key, text)
  } catch {
    // The storage is full of other things, or the person allows none.
  }
}

/** When a person signs out: the next one who uses this browser finds nothing. */
export function forgetDrafts(storage: DraftStorage): void {
  for (const key of keysOf(storage)) storage.removeItem(key)
}

/** Removes what is too old or nonsense, and the oldest until one more has its place. */
function makeRoom(storage: DraftStorage, now: number): void {
  const known = keysOf(storage)
    .map((key) => ({ key, at: timeOf(storage.getItem(key) ?? '') ?? 0 }))
    .toSorted((one, other) => other.at - one.at)
  for (const [index, { key, at }] of known.entries())
    if (index >= mostDrafts - 1 || !isFresh(at, now)) storage.removeItem(key)
}

function keysOf(storage: DraftStorage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
    key.startsWith(prefix),
  )
}

/** The time stands before the rest, so that making room reads no whole drafts. */
function timeOf(text: string): number | null {
  const [, digits] = /^(\d{1,15}) /.exec(text) ?? []
  return digits === undefined ? null : Number(digits)
}

/** A time to come is that of a clock that was wrong. */
function isFresh(at: number, now: number): boolean {
  return at <= now && now - at < keptMs
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isSaid = recordOf<Said>({ fields: isFields, held: isMembers })
const isContent = recordOf<Omit<Draft, 'at'>>({ base: isSaid, typed: isSaid, hadSecrets: isFlag })
