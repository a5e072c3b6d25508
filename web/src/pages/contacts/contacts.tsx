import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Empty } from '../../parts/list.tsx'
import { PageHead, Section, actionsClass } from '../../parts/page.tsx'
import { AddContact } from './contact-add.tsx'
import { ContactList } from './contact-list.tsx'
import { SigningSecret } from './contact-secret.tsx'
import { Policies } from './policies.tsx'
import { PushHere } from './push-here.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useContacts } from './use-contacts.ts'

type Asked = { what: 'add' } | { what: 'secret'; secret: string }

export function ContactsPage(): ReactNode {
  const contacts = useContacts()
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const add = (
    <Button look="primary" onClick={() => setAsked({ what: 'add' })}>
      <Trans>Add a contact</Trans>
    </Button>
  )
  return (
    <>
      <PageHead
        title={t`Contacts`}
        lead={t`They are alerted when a monitor goes down, recovers or needs attention: all of them, or those that the monitor names.`}
        action={
          <div className={actionsClass}>
            <ButtonLink to="/contacts/on-call">
              <Trans>On call</Trans>
            </ButtonLink>
            {mayWrite && <PushHere contacts={contacts} />}
            {mayWrite && add}
          </div>
        }
      />
      <Section title={t`Who is alerted`}>
        {contacts.length === 0 && (
          <Empty>
            {mayWrite
              ? t`None yet. No one is alerted when a monitor goes down. Add one, and send it a test.`
              : t`None yet. No one is alerted when a monitor goes down.`}
          </Empty>
        )}
        <ContactList contacts={contacts} />
      </Section>
      <Policies contacts={contacts} />
      {asked?.what === 'add' && (
        <AddContact
          onAdded={({ secret }) => setAsked(secret === null ? null : { what: 'secret', secret })}
          onClose={close}
        />
      )}
      {asked?.what === 'secret' && <SigningSecret secret={asked.secret} onClose={close} />}
    </>
  )
}
