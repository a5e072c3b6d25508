import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import type { AddedContact } from '../../api/contacts.ts'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { useSendsMail } from '../../session/session.ts'
import { ContactFields, useAddContact } from './contact-fields.tsx'
import { type KindWords, usualKind } from './contact-words.ts'

type AddProps = { onAdded: (added: AddedContact) => void; onClose: () => void }

export function AddContact({ onAdded, onClose }: AddProps): ReactNode {
  const add = useAddContact()
  const [kind, setKind] = useState<KindWords>(usualKind(useSendsMail()))
  return (
    <FormDialog
      title={t`Add a contact`}
      submit={t`Add`}
      onSubmit={async (value, sent) => onAdded(await add(kind, value, sent))}
      onClose={onClose}
      draft={{ form: 'contact', isNew: true }}
    >
      <ContactFields kind={kind} onKind={setKind} />
    </FormDialog>
  )
}
