import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { Unsaved } from './form.tsx'

type Options = {
  /** What the form holds beside its fields, such as the order of rows. */
  held?: unknown
  /** Whether the form stays where the page goes on at this address. */
  staysAt?: (pathname: string) => boolean
}

/** Asks before a form is left that a person has changed, also when the tab is closed. */
export function useUnsaved({ held = null, staysAt = () => false }: Options = {}): Unsaved {
  const form = useRef<HTMLFormElement>(null)
  const { areFieldsChanged, keepFields, listeners } = useFields(form)
  const heldText = JSON.stringify(held)
  const [keptText, setKeptText] = useState(heldText)
  const isChanged = areFieldsChanged || heldText !== keptText
  // A page goes on in the moment in which it is saved, before anything is drawn again.
  const asks = useRef(false)
  useEffect(() => {
    asks.current = isChanged
  })
  const leaving = useBlocker({
    shouldBlockFn: ({ next }) => asks.current && !staysAt(next.pathname),
    enableBeforeUnload: () => asks.current,
    disabled: !isChanged,
    withResolver: true,
  })
  return {
    form,
    listeners,
    isChanged,
    settle: () => {
      asks.current = false
      keepFields()
      setKeptText(heldText)
    },
    // Beside the page: its form may be hidden behind another tab.
    question:
      leaving.status === 'blocked' &&
      createPortal(<Question onStay={leaving.reset} onLeave={leaving.proceed} />, document.body),
  }
}

type Fields = { areFieldsChanged: boolean; keepFields: () => void; listeners: Unsaved['listeners'] }

/**
 * The fields as they were before a person first came to them are what is saved: defaults may arrive until then. React
 * listens, not the element: a form that is drawn anew before React heard of a letter takes the letter back.
 */
function useFields(form: RefObject<HTMLFormElement | null>): Fields {
  const kept = useRef<string | null>(null)
  const [areFieldsChanged, setChanged] = useState(false)
  const come = (): void => void (kept.current ??= textOf(form.current))
  const look = (): void => setChanged(kept.current !== null && textOf(form.current) !== kept.current)
  const keepFields = (): void => {
    kept.current = textOf(form.current)
    setChanged(false)
  }
  return {
    areFieldsChanged,
    keepFields,
    listeners: { onFocus: come, onPointerDown: come, onInput: look, onChange: look },
  }
}

/** Everything that the fields say. */
function textOf(form: HTMLFormElement | null): string {
  return JSON.stringify(
    [...new FormData(form ?? undefined)].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  )
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }): ReactNode {
  return (
    <Dialog title={t`Leave without saving?`} onClose={onStay}>
      <p className="text-muted">
        <Trans>What you changed on this page is not saved, and would be lost.</Trans>
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" onClick={onStay}>
          <Trans>Stay</Trans>
        </Button>
        <Button look="danger" onClick={onLeave}>
          <Trans>Leave</Trans>
        </Button>
      </div>
    </Dialog>
  )
}
