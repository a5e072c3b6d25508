import { type FormHTMLAttributes, type RefObject, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type DraftOf, type DraftState, useDraft } from '../drafts/use-draft.ts'
import { WatchContext } from './unsaved.tsx'

/** A form that is asked about before it is left; `useUnsaved` makes it. */
export type Unsaved = {
  draft: DraftState
  form: RefObject<HTMLFormElement | null>
  /** For the form, so that it is seen what changes. */
  listeners: Pick<
    FormHTMLAttributes<HTMLFormElement>,
    'onFocus' | 'onPointerDown' | 'onKeyDown' | 'onInput' | 'onChange'
  >
  /** Whether the form says something else than what is saved. */
  isChanged: boolean
  /** What it says is saved from here on, so that it can be left without a question. */
  settle: () => void
  /** Sends what it says, which is then what is saved. Meanwhile the page may go on by itself. */
  send: (submit: () => Promise<unknown>) => Promise<void>
}

type Options = {
  /** What the form holds beside its fields, such as the order of rows. */
  held?: unknown
  /** Whether the form stays where the page goes on at this address. */
  staysAt?: (pathname: string) => boolean
  /** False for a form whose content may be lost. */
  isAsked?: boolean
  /** For a form whose content is kept when its page is loaded anew. */
  draft?: DraftOf | undefined
}

/** Has a form asked about before it is left. */
export function useUnsaved({ held = null, staysAt, isAsked = true, draft: draftOf }: Options = {}): Unsaved {
  const { form, fields, areFieldsChanged, come, look, keepFields } = useFields()
  const draft = useDraft({ form, held, of: draftOf, onBegin: come })
  const { keeper } = draft
  const watch = use(WatchContext)
  const heldText = JSON.stringify(held)
  const [keptText, setKeptText] = useState(heldText)
  // What is asked at a moment, which may come before anything is drawn again.
  const now = useRef({ heldText, keptText, isSending: false, staysAt })
  useEffect(() => {
    Object.assign(now.current, { heldText, staysAt })
  })
  useEffect(() => {
    if (!isAsked) return undefined
    return watch?.({
      isChanged: () => fields.isChanged() || now.current.heldText !== now.current.keptText,
      mayGoTo: (pathname) => now.current.isSending || now.current.staysAt?.(pathname) === true,
      forget: () => keeper.forget(),
    })
  }, [watch, fields, isAsked, keeper])
  const keep = (fieldsText: string, text: string): void => {
    now.current.keptText = text
    setKeptText(text)
    keepFields(fieldsText)
    keeper.forget()
  }
  const onCome = (): void => {
    come()
    keeper.begin()
  }
  const onLook = (): void => {
    look()
    keeper.changed()
  }
  return {
    draft,
    form,
    listeners: { onFocus: onCome, onPointerDown: onCome, onKeyDown: onCome, onInput: onLook, onChange: onLook },
    isChanged: areFieldsChanged || heldText !== keptText,
    settle: () => keep(fields.text(), now.current.heldText),
    send: async (submit) => {
      const sent = [fields.text(), now.current.heldText] as const
      now.current.isSending = true
      try {
        await submit()
        keep(...sent)
      } finally {
        now.current.isSending = false
      }
    },
  }
}

type Fields = Pick<Unsaved, 'form'> & {
  fields: { text: () => string; isChanged: () => boolean }
  areFieldsChanged: boolean
  /** A person, or a draft, is about to change them. */
  come: () => void
  look: () => void
  keepFields: (text: string) => void
}

/**
 * The fields as they were before a person first came to them are what is saved: defaults may arrive until then. React
 * listens, not the element: a form that is drawn anew before React heard of a letter takes the letter back.
 */
function useFields(): Fields {
  const form = useRef<HTMLFormElement>(null)
  const kept = useRef<string | null>(null)
  const seen = useRef('')
  const [areFieldsChanged, setChanged] = useState(false)
  const fields = useMemo(() => {
    // While its page waits for something the form is not there, and says what it said.
    const text = (): string => (seen.current = form.current === null ? seen.current : textOf(form.current))
    return { text, isChanged: () => kept.current !== null && text() !== kept.current }
  }, [])
  const come = useCallback((): void => void (kept.current ??= fields.text()), [fields])
  const look = (): void => setChanged(fields.isChanged())
  const keepFields = (text: string): void => {
    kept.current = text
    look()
  }
  return { form, fields, areFieldsChanged, come, look, keepFields }
}

/** Everything that the fields say. */
function textOf(form: HTMLFormElement): string {
  return JSON.stringify(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  )
}
