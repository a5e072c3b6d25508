import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { ContactFields, useReadContact } from './contact-fields.tsx'
import { type Contact, type KindWords } from './contact-words.ts'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

type EditProps = { of: Contact; kind: KindWords; onClose: () => void }

/** The form of a new contact, with what the contact is; its kind stays. */
export function EditContact({ of, kind: words, onClose }: EditProps): ReactNode {
  const { id, name, kind, confirmed: wasConfirmed, destination: before } = of.contact
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const read = useReadContact()
  const submit = async (value: Values, sent: FormData): Promise<void> => {
    const { confirmed, destination } = await api.change(id, read(kind, value, sent))
    await changed()
    const isAsked = !confirmed && (wasConfirmed || destination !== before)
    if (isAsked && !of.isMailKept) toast(t`A confirmation mail is on its way to ${destination}.`)
    onClose()
  }
  return (
    <FormDialog
      title={t`Edit ${name}`}
      submit={t`Save`}
      onSubmit={submit}
      onClose={onClose}
      draft={{ form: 'contact', isNew: false }}
    >
      <ContactFields kind={words} onKind={null} held={of.contact} />
    </FormDialog>
  )
}
