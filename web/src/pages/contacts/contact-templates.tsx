import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FocusEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { AreaField, TextField } from '../../parts/form/field.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import type { Contact } from './contact-words.ts'
import { TemplateFields } from './template-fields.tsx'
import { TemplatePreview } from './template-preview.tsx'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

type WordsProps = { of: Contact; onClose: () => void }

type Editor = HTMLInputElement | HTMLTextAreaElement

const exampleTitle = '{{ monitor.name }}: {{ event }}'

/** Title and body of a contact's messages, with the fields beside them and what they make below. */
export function ContactWords({ of, onClose }: WordsProps): ReactNode {
  const { id, name, kind, templates } = of.contact
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const [title, setTitle] = useState(templates?.title ?? '')
  const [body, setBody] = useState(templates?.body ?? '')
  const { editors, onFocus, insert } = useInsertion()
  const typed = { title: title === '' ? null : title, body: body.trim() === '' ? null : body }
  const submit = async (): Promise<void> => {
    await api.change(id, { templates: typed })
    await changed()
    toast(t`Alerts use this text from now on.`)
    onClose()
  }
  return (
    <FormDialog
      title={t`Message text of ${name}`}
      submit={t`Save`}
      onSubmit={submit}
      onClose={onClose}
      draft={{ form: 'words', isNew: false }}
      isRoomy
    >
      <p className="text-sm text-muted">
        <Trans>
          Title and text of its messages, in Liquid. An empty field uses the built-in words, and so does one that fails
          when an alert is sent.
        </Trans>
      </p>
      <div className="grid gap-4 md:grid-cols-[3fr_2fr]">
        <div ref={editors} className="flex min-w-0 flex-col gap-4">
          <TextField
            name="templates.title"
            label={t`Title`}
            placeholder={exampleTitle}
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            value={title}
            onFocus={onFocus}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <AreaField
            name="templates.body"
            label={t`Text`}
            rows={9}
            spellCheck={false}
            maxLength={4000}
            value={body}
            onFocus={onFocus}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        </div>
        <TemplateFields onInsert={insert} />
      </div>
      <TemplatePreview kind={kind} templates={typed} />
    </FormDialog>
  )
}

type Insertion = {
  /** Stands around the editors. */
  editors: RefObject<HTMLDivElement | null>
  onFocus: (event: FocusEvent<Editor>) => void
  insert: (text: string) => void
}

/** Inserts into the editor that had the focus last, at first into the body. */
function useInsertion(): Insertion {
  const editors = useRef<HTMLDivElement>(null)
  const last = useRef<Editor | null>(null)
  return {
    editors,
    onFocus: (event) => void (last.current = event.currentTarget),
    insert: (text) => {
      const editor = last.current ?? editors.current?.querySelector('textarea')
      if (editor !== null && editor !== undefined) insertInto(editor, text)
    },
  }
}

/** At the cursor, as if it were typed. */
function insertInto(editor: Editor, text: string): void {
  const { selectionStart: from, selectionEnd: to, value } = editor
  editor.setRangeText(text, from ?? value.length, to ?? value.length, 'end')
  editor.dispatchEvent(new Event('input', { bubbles: true }))
  editor.focus()
}
