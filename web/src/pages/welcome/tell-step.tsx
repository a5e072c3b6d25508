import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { contactTraits } from '#core/contacts/contact-kinds.ts'
import type { AddedContact } from '../../api/contacts.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useMe } from '../../session/session.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { ContactFields, useAddContact } from '../contacts/contact-fields.tsx'
import { ContactList } from '../contacts/contact-list.tsx'
import { SigningSecret } from '../contacts/contact-secret.tsx'
import { type Contact, type KindWords, standingOf, usualKind } from '../contacts/contact-words.ts'
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
  const waiting = contacts.find((of) => standingOf(of) === 'waiting')?.contact.destination
  return (
    <section aria-labelledby="told" className="flex flex-col gap-3">
      <h3 id="told" className="font-semibold">
        <Trans>Who is told</Trans>
      </h3>
      <div className="rounded-lg border border-line px-3.5 py-3">
        <ContactList contacts={contacts} />
      </div>
      {waiting === undefined ? (
        <p className="text-sm text-muted">
          <Trans>A test alert shows whether they really arrive.</Trans>
        </p>
      ) : (
        <Notice tone="warn">
          <Trans>
            Open the link in the mail to {waiting} and press its button: only then alerts go there. A test alert can be
            sent then, too.
          </Trans>
        </Notice>
      )}
    </section>
  )
}

type AdditionProps = { contacts: readonly Contact[]; onAdded: (added: AddedContact) => void }

function Addition({ contacts, onAdded }: AdditionProps): ReactNode {
  const { name, email } = useMe()
  const add = useAddContact()
  const [kind, setKind] = useState<KindWords>(usualKind)
  const isMineThere = contacts.some(({ contact }) => contact.destination === email)
  return (
    <section aria-labelledby="add" className="flex flex-col gap-3">
      <h3 id="add" className="font-semibold">
        {contacts.length === 0 ? t`Add a contact` : t`Add another one`}
      </h3>
      {contactTraits[kind.kind].via === 'mail' && <NoMail />}
      <Form
        look={contacts.length === 0 ? 'primary' : 'secondary'}
        submit={t`Add`}
        onSubmit={async (value) => onAdded(await add(kind, value))}
      >
        <ContactFields kind={kind} onKind={setKind} {...(isMineThere ? {} : { mine: { name, email } })} />
      </Form>
    </section>
  )
}

/** Only owners are told how the installation is set up, because its operator is one of them. */
function NoMail(): ReactNode {
  const { workspace, api, isOwner } = useWorkspace()
  const { data: installation } = useQuery({
    queryKey: ['workspace', workspace.id, 'installation'],
    queryFn: () => api.readInstallation(),
    enabled: isOwner,
  })
  if (installation?.sends_mail !== false) return null
  return (
    <Notice tone="warn">
      <span className="wrap-anywhere">
        <Trans>
          This installation sends no mail yet: it keeps mails in the folder <code>outbox</code> of its data. Whoever
          runs it sets <code>PERIGEE_SMTP_URL</code>, such as <code>smtps://user:password@mail.example.com</code>, and{' '}
          <code>PERIGEE_MAIL_FROM</code>. Webhooks and Slack work without.
        </Trans>
      </span>
    </Notice>
  )
}
