import { createContext, use, useEffect, useLayoutEffect, useRef } from 'react'

/** What a form holds beside its fields, such as how many rows there are. */
export type Part = {
  value: unknown
  /** Gets what was kept outside of the program, and judges its shape. */
  restore: (value: unknown) => void
}

export type Parts = {
  /** Returns its end. */
  add: (name: string, read: () => Part) => () => void
  changed: () => void
}

/** Of the form around; null where there is none, or none that keeps drafts. */
export const PartsContext = createContext<Parts | null>(null)

/** Has the draft of a form keep this as well; of the form around, where no other parts are given. */
export function useDraftPart(name: string, part: Part | null, given?: Parts): void {
  const around = use(PartsContext)
  const parts = part === null ? null : (given ?? around)
  const now = useRef<Part>({ value: null, restore: () => {} })
  useLayoutEffect(() => {
    if (part !== null) now.current = part
  })
  const text = JSON.stringify(part?.value)
  const told = useRef(text)
  useLayoutEffect(() => parts?.add(name, () => now.current), [parts, name])
  useEffect(() => {
    if (told.current !== text) parts?.changed()
    told.current = text
  }, [parts, text])
}
