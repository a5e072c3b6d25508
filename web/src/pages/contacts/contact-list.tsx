import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge, Row, Rows } from '../../parts/list.tsx'
import { TagBadges } from '../../parts/form/tags-field.tsx'
import { ContactStanding, LastDelivery } from './contact-state.tsx'
import { TestButton, TestOutcome, useContactTest } from './contact-test.tsx'
import { type Contact, kindTitle, mayBeTested } from './contact-words.ts'
import { useMayWrite } from '../../session/use-monitors.ts'

/** Contacts with their states. People who may write can test each. */
export function ContactList({ contacts }: { contacts: readonly Contact[] }): ReactNode {
  const mayWrite = useMayWrite()
  return (
    <Rows label={t`Contacts`}>
      {contacts.map((of) => (
        <ContactRow key={of.contact.id} of={of} mayTest={mayWrite} />
      ))}
    </Rows>
  )
}

function ContactRow({ of, mayTest }: { of: Contact; mayTest: boolean }): ReactNode {
  const { outcome, isBusy, send } = useContactTest(of)
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
          {mayTest && mayBeTested(of) && <TestButton label={t`Test ${name}`} isBusy={isBusy} onPress={send} />}
        </>
      }
      below={mayTest && <TestOutcome of={of} outcome={outcome} />}
    />
  )
}
