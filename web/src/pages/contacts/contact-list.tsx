import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Badge, Row, Rows } from '../../parts/list.tsx'
import { TagBadges } from '../../parts/form/tags-field.tsx'
import { TestContact } from './contact-dialogs.tsx'
import { ContactStanding, LastDelivery } from './contact-state.tsx'
import { type Contact, kindTitle, mayBeTested } from './contact-words.ts'
import { useMayWrite } from '../../session/use-monitors.ts'

/** Contacts with their states. People who may write can test each. */
export function ContactList({ contacts }: { contacts: readonly Contact[] }): ReactNode {
  const mayWrite = useMayWrite()
  const [tested, setTested] = useState<Contact | null>(null)
  return (
    <>
      <Rows label={t`Contacts`}>
        {contacts.map((of) => (
          <ContactRow key={of.contact.id} of={of} onTest={mayWrite ? () => setTested(of) : null} />
        ))}
      </Rows>
      {tested !== null && <TestContact of={tested} onClose={() => setTested(null)} />}
    </>
  )
}

function ContactRow({ of, onTest }: { of: Contact; onTest: (() => void) | null }): ReactNode {
  const { id, name, kind, destination, tags = [] } = of.contact
  return (
    <Row
      title={
        <>
          <Link to="/contacts/$id" params={{ id }} className="hover:underline">
            {name}
          </Link>
          <Badge>{kindTitle(kind)}</Badge>
          <TagBadges tags={tags} />
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
          {onTest !== null && mayBeTested(of) && (
            <Button aria-label={t`Test ${name}`} onClick={onTest}>
              <Trans>Test</Trans>
            </Button>
          )}
        </>
      }
    />
  )
}
