import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Badge, Empty, Row, Rows } from '../parts/list.tsx'
import { PageHead, Section } from '../parts/page.tsx'
import { AddContact } from './contact-add.tsx'
import { TestContact } from './contact-dialogs.tsx'
import { SigningSecret } from './contact-secret.tsx'
import { ContactStanding, LastDelivery } from './contact-state.tsx'
import { type Contact, kindTitle, standingOf } from './contact-words.ts'
import { useMayWrite } from './monitor/use-monitors.ts'
import { useContacts } from './use-contacts.ts'

type Asked = { what: 'add' } | { what: 'secret'; secret: string } | { what: 'test'; contact: Contact }

export function ContactsPage(): ReactNode {
  const contacts = useContacts()
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const add = (
    <Button look="primary" onClick={() => setAsked({ what: 'add' })}>
      Add a contact
    </Button>
  )
  return (
    <>
      <PageHead
        title="Contacts"
        lead="They are told when a monitor goes down, comes back, or needs care: all of them, or those that the monitor names."
        action={mayWrite && add}
      />
      <Section title="Who is told">
        {contacts.length === 0 && (
          <Empty>None yet: nobody is told when a monitor goes down.{mayWrite && ' Add one, and send it a test.'}</Empty>
        )}
        <Rows label="Contacts">
          {contacts.map((of) => (
            <ContactRow
              key={of.contact.id}
              of={of}
              onTest={mayWrite ? () => setAsked({ what: 'test', contact: of }) : null}
            />
          ))}
        </Rows>
      </Section>
      {asked?.what === 'add' && (
        <AddContact
          onAdded={({ secret }) => setAsked(secret === null ? null : { what: 'secret', secret })}
          onClose={close}
        />
      )}
      {asked?.what === 'secret' && <SigningSecret secret={asked.secret} onClose={close} />}
      {asked?.what === 'test' && <TestContact of={asked.contact} onClose={close} />}
    </>
  )
}

function ContactRow({ of, onTest }: { of: Contact; onTest: (() => void) | null }): ReactNode {
  const { id, name, kind, destination } = of.contact
  const standing = standingOf(of)
  const mayBeTested = standing === 'works' || standing === 'failing'
  return (
    <Row
      title={
        <>
          <Link to="/contacts/$id" params={{ id }} className="hover:underline">
            {name}
          </Link>
          <Badge>{kindTitle(kind)}</Badge>
        </>
      }
      details={
        <>
          {destination} · <LastDelivery of={of} />
        </>
      }
      action={
        <>
          <ContactStanding of={of} />
          {onTest !== null && mayBeTested && (
            <Button aria-label={`Test ${name}`} onClick={onTest}>
              Test
            </Button>
          )}
        </>
      }
    />
  )
}
