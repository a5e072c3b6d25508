import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { AddedContact } from '../../api/contacts.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useMe, useSendsMail } from '../../session/session.ts'
import { ContactFields, useAddContact } from '../contacts/contact-fields.tsx'
import { ContactList } from '../contacts/contact-list.tsx'
import { SigningSecret } from '../contacts/contact-secret.tsx'
import {
  type Contact,
  type ContactStanding,
  type KindWords,
  mayBeTested,
  standingOf,
  usualKind,
} from '../contacts/contact-words.ts'
import { useContacts } from '../contacts/use-contacts.ts'

/** Contacts, and one more: at first one's own address. */
export function TellStep(): ReactNode {
  const contacts = useContacts()
  const [secret, setSecret] = useState<string | null>(null)
  // Each contact is a form of its own, so that the next one begins empty; the focus goes to what was added.
  const [added, setAdded] = useState(0)
  const present = <Present contacts={contacts} />
  const arrive = (): void => {
    setSecret(null)
    setAdded(added + 1)
  }
  return (
    <div className="flex flex-col gap-6">
      {contacts.length > 0 && (added === 0 ? present : <Arrival key={added}>{present}</Arrival>)}
      <Addition
        key={`form ${added}`}
        contacts={contacts}
        onAdded={(made) => (made.secret === null ? arrive() : setSecret(made.secret))}
      />
      {secret !== null && <SigningSecret secret={secret} onClose={arrive} />}
    </div>
  )
}

function Present({ contacts }: { contacts: readonly Contact[] }): ReactNode {
  const firstOf = (standing: ContactStanding): string | undefined =>
    contacts.find((of) => standingOf(of) === standing)?.contact.destination
  const [waiting, kept] = [firstOf('waiting'), firstOf('kept')]
  return (
    <section aria-labelledby="told" className="flex flex-col gap-3">
      <h3 id="told" className="font-semibold">
        <Trans>Who is told</Trans>
      </h3>
      <div className="rounded-lg border border-line px-3.5 py-3">
        <ContactList contacts={contacts} />
      </div>
      {waiting !== undefined && (
        <Notice tone="warn">
          <Trans>
            Open the link in the mail to {waiting} and press its button: only then alerts go there. A test alert can be
            sent then, too.
          </Trans>
        </Notice>
      )}
      {kept !== undefined && (
        <Notice tone="warn">
          <Trans>This installation sends no mail, so alerts to {kept} reach nobody until it does.</Trans>
        </Notice>
      )}
      {waiting === undefined && contacts.some(mayBeTested) && (
        <p className="text-sm text-muted">
          <Trans>A test alert shows whether they really arrive.</Trans>
        </p>
      )}
    </section>
  )
}

type AdditionProps = { contacts: readonly Contact[]; onAdded: (added: AddedContact) => void }

function Addition({ contacts, onAdded }: AdditionProps): ReactNode {
  const { name, email } = useMe()
  const add = useAddContact()
  const [kind, setKind] = useState<KindWords>(usualKind(useSendsMail()))
  const isMineThere = contacts.some(({ contact }) => contact.destination === email)
  return (
    <section aria-labelledby="add" className="flex flex-col gap-3">
      <h3 id="add" className="font-semibold">
        {contacts.length === 0 ? t`Add a contact` : t`Add another one`}
      </h3>
      <Form
        look={contacts.length === 0 ? 'primary' : 'secondary'}
        submit={t`Add`}
        onSubmit={async (value, sent) => onAdded(await add(kind, value, sent))}
      >
        <ContactFields kind={kind} onKind={setKind} {...(isMineThere ? {} : { mine: { name, email } })} />
      </Form>
    </section>
  )
}
