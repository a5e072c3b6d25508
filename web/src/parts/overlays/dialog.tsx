import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, createContext, use } from 'react'
import { Button, type Look } from '../button.tsx'
import type { DraftOf } from '../drafts/use-draft.ts'
import { Form, type Values } from '../form/form.tsx'
import { Modal } from './modal.tsx'
import { WatchContext, useDialogForms } from '../form/unsaved.tsx'

const CloseContext = createContext<() => void>(() => {})

type DialogProps = { title: string; onClose: () => void; isRoomy?: boolean; children: ReactNode }

/** Ends with Escape and with its `CloseButton`, after a question where a form within it would lose something. */
export function Dialog({ title, onClose, isRoomy = false, children }: DialogProps): ReactNode {
  const { watch, close, question } = useDialogForms(onClose)
  return (
    <>
      <Modal title={title} onClose={close} isRoomy={isRoomy}>
        <CloseContext value={close}>
          <WatchContext value={watch}>{children}</WatchContext>
        </CloseContext>
      </Modal>
      {question}
    </>
  )
}

/** Of the dialog around it. */
export function CloseButton({ children }: { children: ReactNode }): ReactNode {
  return <Button onClick={use(CloseContext)}>{children}</Button>
}

type FormDialogProps = {
  title: string
  submit: string
  onSubmit: (values: Values, sent: FormData) => Promise<unknown>
  onClose: () => void
  look?: Look
  /** What the form holds beside its fields. */
  held?: unknown
  /** False where one short word is asked, which is typed again at once. */
  unsaved?: false
  /** Where what is typed is kept until the dialog is opened again. */
  draft?: DraftOf | undefined
  /** With things side by side. */
  isRoomy?: boolean
  children: ReactNode
}

/** A question and its two answers. */
export function FormDialog({ title, onClose, isRoomy = false, children, ...form }: FormDialogProps): ReactNode {
  return (
    <Dialog title={title} onClose={onClose} isRoomy={isRoomy}>
      <Form
        {...form}
        isFull={isRoomy}
        beside={
          <CloseButton>
            <Trans>Cancel</Trans>
          </CloseButton>
        }
      >
        {children}
      </Form>
    </Dialog>
  )
}

/** Asks before what cannot be undone. */
export function DeleteDialog(props: Omit<FormDialogProps, 'submit' | 'look' | 'unsaved'>): ReactNode {
  return <FormDialog {...props} submit={t`Delete permanently`} look="danger" unsaved={false} />
}
