import { type RefObject, use, useEffect, useMemo, useState } from 'react'
import { DraftKeeper, type Restored } from './draft-keeper.ts'
import { useDraftPart } from './draft-parts.ts'
import { DraftScope } from './draft-scope.ts'
import { draftKey } from './draft-store.ts'

/** Has a form keep what is typed into it until it is saved. */
export type DraftOf = {
  /** Which form of its page it is. */
  form: string
  /** It makes something new: then nothing can have changed since. */
  isNew: boolean
  /** Puts back what the form holds beside its fields; what it gets was kept outside, so that it judges the shape. */
  restore?: (held: unknown) => void
}

export type DraftState = { keeper: DraftKeeper; restored: Restored | null }

type Options = {
  form: RefObject<HTMLFormElement | null>
  held: unknown
  of: DraftOf | undefined
  /** Before a draft is put back. */
  onBegin: () => void
}

/** Keeps a draft of a form while it is typed into, and puts back the one that it finds when the form opens. */
export function useDraft({ form, held, of, onBegin }: Options): DraftState {
  const scope = use(DraftScope)
  const [address] = useState(() => location.pathname)
  const [restored, onRestored] = useState<Restored | null>(null)
  const { form: name, isNew = true, restore } = of ?? {}
  const key = scope === null || name === undefined ? null : draftKey({ ...scope, address, form: name })
  const keeper = useMemo(
    () => new DraftKeeper({ key, isNew, readForm: () => form.current, onRestored }),
    [key, isNew, form],
  )
  useDraftPart('form', restore === undefined ? null : { value: held, restore }, keeper)
  useEffect(() => keeper.open(onBegin), [keeper, onBegin])
  return { keeper, restored }
}
