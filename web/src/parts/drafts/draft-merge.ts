import type { Fields, Said } from './draft-store.ts'

/** What a form is to say once its draft is restored. */
export type Merged = {
  /** The fields that are to say something else than they do now. */
  fields: Fields
  /** The same of what the form holds beside them. */
  held: Said['held']
  /** What is saved is another than what the draft began from. */
  isChangedSince: boolean
  /** Fields that the person changed, and that were changed since as well. */
  disputed: readonly string[]
  isHeldDisputed: boolean
}

type Three = { base: Said; typed: Said; now: Said }

/**
 * What was typed, put onto what the form says now. Of a new thing it is all that was there. Of one that is saved it is
 * what the person changed: all else shows what is saved now. A box that is not ticked is not among the fields.
 */
export function mergeDraft({ base, typed, now }: Three, isNew: boolean): Merged {
  const names = [...new Set([...Object.keys(base.fields), ...Object.keys(typed.fields)])]
  const wanted = names.filter((name) => isNew || at(typed, name) !== at(base, name))
  const isOther = (name: string): boolean => {
    const isThere = isTick(name) || (name in base.fields && name in now.fields)
    return isThere && at(now, name) !== at(base, name)
  }
  const all = new Set([...names, ...Object.keys(now.fields)])
  const others = isNew ? [] : [...all].filter(isOther)
  const heldNames = Object.keys(typed.held).filter(
    (name) => isNew || textOf(typed.held[name]) !== textOf(base.held[name]),
  )
  const otherHeld = isNew ? [] : Object.keys(now.held).filter((name) => isHeldOther(name, { base, now }))
  return {
    fields: Object.fromEntries(wanted.map((name) => [name, at(typed, name)])),
    held: Object.fromEntries(heldNames.map((name) => [name, typed.held[name]])),
    isChangedSince: others.length > 0 || otherHeld.length > 0,
    disputed: others.filter((name) => wanted.includes(name) && at(now, name) !== at(typed, name)),
    isHeldDisputed: otherHeld.some(
      (name) => heldNames.includes(name) && textOf(now.held[name]) !== textOf(typed.held[name]),
    ),
  }
}

function at({ fields }: Said, name: string): string {
  return fields[name] ?? ''
}

/** Whether the name is that of a box or a button to choose, which is among the fields only while it is chosen. */
export function isTick(name: string): boolean {
  return name.startsWith('=')
}

function isHeldOther(name: string, { base, now }: Omit<Three, 'typed'>): boolean {
  return name in base.held && textOf(now.held[name]) !== textOf(base.held[name])
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
