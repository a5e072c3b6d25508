import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button, type Look } from './button.tsx'
import { Form, type Values } from './form.tsx'

type DialogProps = { title: string; onClose: () => void; children: ReactNode }

/** The browser's own dialog: it holds the focus, ends with Escape, and needs no style of its own in the page. */
export function Dialog({ title, onClose, children }: DialogProps): ReactNode {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page: the focus then goes back to where it came from.
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    return () => opened?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="w-full max-w-md rounded-2xl border border-line bg-surface p-6 shadow-xl max-sm:max-w-[calc(100vw-2rem)]"
    >
      <h2 id={id} className="mb-4 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

type FormDialogProps = {
  title: string
  submit: string
  onSubmit: (values: Values) => Promise<unknown>
  onClose: () => void
  look?: Look
  children: ReactNode
}

/** A question and its two answers. */
export function FormDialog({ title, submit, onSubmit, onClose, look, children }: FormDialogProps): ReactNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        onSubmit={onSubmit}
        submit={submit}
        {...(look === undefined ? {} : { look })}
        beside={
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        }
      >
        {children}
      </Form>
    </Dialog>
  )
}

/** Asks before what cannot be undone. */
export function DeleteDialog(props: Omit<FormDialogProps, 'submit' | 'look'>): ReactNode {
  return <FormDialog {...props} submit={t`Delete for good`} look="danger" />
}
