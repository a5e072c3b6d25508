import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import {
  type FormHTMLAttributes,
  type ReactNode,
  type RefObject,
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button.tsx'
import { type DraftOf, type DraftState, useDraft } from './drafts/use-draft.ts'
import { Modal } from './modal.tsx'

/** A form that would lose what a person typed or chose in it. */
type Held = {
  isChanged: () => boolean
  /** Whether nothing is lost where the page goes on at this address. */
  mayGoTo: (pathname: string) => boolean
  /** The person leaves it all the same. */
  forget: () => void
}

/** Has a form asked about as long as it is there. Returns its end. */
type Watch = (held: Held) => () => void

/** Where there is none, forms are left without a question, as at the doors of the console. */
export const WatchContext = createContext<Watch | null>(null)

/** Goes on, after a question where a form would lose something. */
type Leave = (goOn: () => void) => void

const LeaveContext = createContext<Leave>((goOn) => goOn())

/** For what ends the page, or a part of it, without going to another address. */
export function useLeave(): Leave {
  return use(LeaveContext)
}

/** Around pages: asks before one is left with a form that a person has changed, also when the tab is closed. */
export function UnsavedForms({ children }: { children: ReactNode }): ReactNode {
  const { all, watch, isAnyChanged, forgetChanged, leave, question } = useForms(null)
  const shouldBlockFn: ShouldBlockFn = useCallback(
    ({ next }) => [...all].some((held) => held.isChanged() && !held.mayGoTo(next.pathname)),
    [all],
  )
  const leaving = useBlocker({ shouldBlockFn, enableBeforeUnload: isAnyChanged, withResolver: true })
  return (
    <WatchContext value={watch}>
      <LeaveContext value={leave}>{children}</LeaveContext>
      {question}
      {leaving.status === 'blocked' && (
        <Question
          onStay={leaving.reset}
          onLeave={() => {
            forgetChanged()
            leaving.proceed()
          }}
        />
      )}
    </WatchContext>
  )
}

/** The same for a dialog, whose forms end with it: `watch` is for them, `close` asks before it ends. */
export function useDialogForms(onClose: () => void): Pick<Forms, 'watch' | 'question'> & { close: () => void } {
  const { watch, leave, question } = useForms(use(WatchContext))
  return { watch, question, close: () => leave(onClose) }
}

type Forms = {
  all: ReadonlySet<Held>
  watch: Watch
  isAnyChanged: () => boolean
  forgetChanged: () => void
  leave: Leave
  question: ReactNode
}

/** The forms of a page or a dialog; `outer` is told of them, too. */
function useForms(outer: Watch | null): Forms {
  const [all] = useState(() => new Set<Held>())
  const [asked, setAsked] = useState<{ goOn: () => void } | null>(null)
  const rules = useMemo(() => {
    const isAnyChanged = (): boolean => [...all].some((held) => held.isChanged())
    const watch: Watch = (held) => {
      const end = outer?.(held)
      all.add(held)
      return () => {
        all.delete(held)
        end?.()
      }
    }
    const forgetChanged = (): void => {
      for (const held of all) if (held.isChanged()) held.forget()
    }
    const leave: Leave = (goOn) => (isAnyChanged() ? setAsked({ goOn }) : goOn())
    return { watch, isAnyChanged, forgetChanged, leave }
  }, [all, outer])
  const stay = (): void => setAsked(null)
  const question = asked !== null && (
    <Question
      onStay={stay}
      onLeave={() => {
        // First alone: each dialog gives the focus back to where it had it from.
        flushSync(stay)
        rules.forgetChanged()
        asked.goOn()
      }}
    />
  )
  return { all, ...rules, question }
}

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

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }): ReactNode {
  return (
    <Modal title={t`Leave without saving?`} onClose={onStay}>
      <p className="text-muted">
        <Trans>What you changed here is not saved, and would be lost.</Trans>
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" onClick={onStay}>
          <Trans>Stay</Trans>
        </Button>
        <Button look="danger" onClick={onLeave}>
          <Trans>Leave</Trans>
        </Button>
      </div>
    </Modal>
  )
}
