import { flushSync } from 'react-dom'
import { fieldsOf, fillFields, firstField, labelsOf } from './draft-fields.ts'
import { type Merged, mergeDraft } from './draft-merge.ts'
import type { Part, Parts } from './draft-parts.ts'
import { type Draft, type Said, readDraft, writeDraft } from './draft-store.ts'

/** What is said about a draft that was put back. */
export type Restored = Pick<Draft, 'at' | 'hadSecrets'> &
  Pick<Merged, 'isChangedSince' | 'isHeldDisputed'> & { labels: readonly string[] }

type Given = {
  /** Null where nothing is kept. */
  key: string | null
  isNew: boolean
  readForm: () => HTMLFormElement | null
  /** Null while the form says nothing of a draft. */
  onRestored: (restored: Restored | null) => void
}

/** A crash loses what was typed in this time; a reload and a closed tab lose nothing. */
const restMs = 200
/** More fields may come with what others say: so often it is looked whether there are any. */
const mostPasses = 6

/** Keeps the draft of one form while it is typed into, and puts back the one that it finds. */
export class DraftKeeper implements Parts {
  readonly #given: Given
  readonly #parts = new Map<string, () => Part>()
  #start: Said | null = null
  #timer: number | null = null
  #isFilling = false

  constructor(given: Given) {
    this.#given = given
  }

  add(name: string, read: () => Part): () => void {
    this.#parts.set(name, read)
    return () => void this.#parts.delete(name)
  }

  /** To be called before something is typed or chosen: what the form says until then is what its draft begins from. */
  begin(): void {
    const form = this.#given.readForm()
    if (form !== null) this.#start ??= this.#say(form).said
  }

  /** Something was typed or chosen: it is kept when that rests. */
  changed(): void {
    if (this.#isFilling || this.#given.key === null || this.#start === null) return
    this.#rest()
    this.#timer = window.setTimeout(() => this.#keep(), restMs)
  }

  /** What the form says is saved, or left: nothing is kept any more. */
  forget(): void {
    const { key, readForm, onRestored } = this.#given
    this.#rest()
    if (key !== null) localStorage.removeItem(key)
    const form = readForm()
    this.#start = form === null ? null : this.#say(form).said
    onRestored(null)
  }

  /** The form says again what it said before anything was typed. */
  discard(): void {
    const form = this.#given.readForm()
    if (form === null || this.#start === null) return
    const { fields, held } = this.#start
    const names = Object.keys({ ...this.#say(form).said.fields, ...fields })
    this.#fill(form, { fields: Object.fromEntries(names.map((name) => [name, fields[name] ?? ''])), held })
    this.forget()
    // The button that had the focus is gone.
    firstField(form)?.focus()
  }

  /** Returns the end. `onBegin`: before a draft is put back. */
  open(onBegin: () => void): () => void {
    const { key } = this.#given
    const draft = key === null ? null : readDraft(localStorage, key, Date.now())
    const ending = new AbortController()
    const { signal } = ending
    const onHidden = (): void => void (document.visibilityState === 'hidden' && this.#keepNow())
    window.addEventListener('pagehide', () => this.#keepNow(), { signal })
    document.addEventListener('visibilitychange', onHidden, { signal })
    // React waits for no other work of its own inside of an effect.
    if (draft !== null) queueMicrotask(() => signal.aborted || this.#restore(draft, onBegin))
    return () => {
      ending.abort()
      this.#rest()
    }
  }

  #say(form: HTMLFormElement): { said: Said; hadSecrets: boolean } {
    const { fields, hadSecrets } = fieldsOf(form)
    return {
      said: { fields, held: Object.fromEntries([...this.#parts].map(([name, read]) => [name, read().value])) },
      hadSecrets,
    }
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #keepNow(): void {
    if (this.#timer !== null) this.#keep()
  }

  #keep(): void {
    const { key, readForm } = this.#given
    const [form, base] = [readForm(), this.#start]
    this.#rest()
    if (key === null || form === null || base === null) return
    const { said: typed, hadSecrets } = this.#say(form)
    if (JSON.stringify(typed) === JSON.stringify(base)) localStorage.removeItem(key)
    else writeDraft(localStorage, key, { at: Date.now(), base, typed, hadSecrets })
  }

  #restore({ at, base, typed, hadSecrets }: Draft, onBegin: () => void): void {
    const form = this.#given.readForm()
    if (form === null) return
    this.begin()
    onBegin()
    const merged = mergeDraft({ base, typed, now: this.#say(form).said }, this.#given.isNew)
    const { isChangedSince, isHeldDisputed, disputed } = merged
    if (!this.#fill(form, merged)) this.forget()
    else this.#given.onRestored({ at, hadSecrets, isChangedSince, isHeldDisputed, labels: labelsOf(form, disputed) })
  }

  /** Whether the form says something else now. */
  #fill(form: HTMLFormElement, { fields, held }: Said): boolean {
    const left = new Map(Object.entries(held))
    let isAny = false
    this.#isFilling = true
    for (let pass = 0; pass < mostPasses; pass += 1) {
      const count = flushSync(() => this.#putBack(left)) + flushSync(() => filled(form, fields))
      if (count === 0) break
      isAny = true
    }
    this.#isFilling = false
    return isAny
  }

  /** Each once, when its part is there. */
  #putBack(left: Map<string, unknown>): number {
    const found = [...left].flatMap(([name, value]) => {
      const read = this.#parts.get(name)
      return read === undefined ? [] : [{ name, value, part: read() }]
    })
    for (const { name, value, part } of found) {
      left.delete(name)
      part.restore(value)
    }
    return found.filter(({ value, part }) => JSON.stringify(value) !== JSON.stringify(part.value)).length
  }
}

/** The number of fields that say something else now. What is folded away with one of them unfolds. */
function filled(form: HTMLFormElement, fields: Said['fields']): number {
  const found = fillFields(form, fields)
  for (const field of found) {
    const folded = field.closest('details')
    if (folded !== null) folded.open = true
  }
  return found.length
}
