import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { contactTraits } from '#core/contacts/contact-kinds.ts'
import type { AddedContact } from '../../api/contacts.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Button } from '../../parts/button.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useMe, useSendsMail } from '../../session/session.ts'
import { ContactFields, useStoreContact } from '../contacts/contact-fields.tsx'
import { ContactList } from '../contacts/contact-list.tsx'
import {
  type Contact,
  type ContactStanding,
  type KindWords,
  isMailbox,
  mayBeTested,
  standingOf,
  usualKind,
} from '../contacts/contact-words.ts'
import { useContacts } from '../contacts/use-contacts.ts'
import { AddedNow, useFirstTest } from './first-test.tsx'
import type { GoOn } from './outcome.tsx'

/** Contacts, and one more: at first one's own address. What needs no one's leave is sent a test at once. */
export function TellStep({ goOn }: { goOn: GoOn }): ReactNode {
  const contacts = useContacts()
  const sendsMail = useSendsMail()
  const { added, begin, again, stay } = useFirstTest(goOn)
  // A contact that stays in this step: the next form comes when it is asked for.
  const [arrived, setArrived] = useState(0)
  const [isAsked, setAsked] = useState(true)
  const onAdded = (made: AddedContact): void => {
    const { contact } = made
    if (contact.confirmed) begin(made)
    else if (sendsMail) void goOn(<Asked destination={contact.destination} />)
    setArrived(arrived + 1)
    setAsked(false)
  }
  const ask = (): void => {
    stay()
    setAsked(true)
  }
  const present = (
    <div className="flex flex-col gap-6">
      {added !== null && <AddedNow {...added} onAgain={again} />}
      <Present contacts={contacts} />
    </div>
  )
  return (
    <div className="flex flex-col gap-6">
      {contacts.length > 0 && (arrived === 0 ? present : <Arrival key={arrived}>{present}</Arrival>)}
      {isAsked ? (
        <Addition contacts={contacts} onAdded={onAdded} />
      ) : (
        <span>
          <Button onClick={ask}>
            <Trans>Add another contact</Trans>
          </Button>
        </span>
      )}
    </div>
  )
}

function Asked({ destination }: { destination: string }): ReactNode {
  return (
    <p className="wrap-anywhere">
      <Trans>
        A mail is on its way to <strong className="font-medium">{destination}</strong>. Alerts go to this address only
        after you open its link and press the button there.
      </Trans>
    </p>
  )
}

function Present({ contacts }: { contacts: readonly Contact[] }): ReactNode {
  const firstOf = (standing: ContactStanding): string | undefined =>
    contacts.find((of) => standingOf(of) === standing)?.contact.destination
  const [waiting, kept] = [firstOf('waiting'), firstOf('kept')]
  return (
    <section aria-labelledby="told" className="flex flex-col gap-3">
      <h3 id="told" className="font-semibold">
        <Trans>Who is alerted</Trans>
      </h3>
      <div className="rounded-lg border border-line px-3.5 py-3">
        <ContactList contacts={contacts} />
      </div>
      {waiting !== undefined && (
        <Notice tone="warn">
          <Trans>
            Open the link in the mail to {waiting} and press its button. Alerts go there only after that. You can send a
            test alert then, too.
          </Trans>
        </Notice>
      )}
      {kept !== undefined && (
        <Notice tone="warn">
          <Trans>This installation sends no mail, so alerts to {kept} reach no one until it does.</Trans>
        </Notice>
      )}
      {waiting === undefined && contacts.some((of) => mayBeTested(of) && standingOf(of) === 'untested') && (
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
  const store = useStoreContact()
  const [kind, setKind] = useState<KindWords>(usualKind(useSendsMail()))
  const isMineThere = contacts.some(({ contact }) => contact.destination === email)
  const mine = isMineThere ? '' : name
  return (
    <section aria-labelledby="add" className="flex flex-col gap-3">
      <h3 id="add" className="font-semibold">
        {contacts.length === 0 ? t`Add a contact` : t`Add another one`}
      </h3>
      <Form
        look={contacts.length === 0 ? 'primary' : 'secondary'}
        submit={contactTraits[kind.kind].needsConfirmation ? t`Add` : t`Add and send a test`}
        onSubmit={async (value, sent) => onAdded(await store(kind, value, sent))}
        isRoomy
      >
        <ContactFields
          kind={kind}
          onKind={setKind}
          proposedName={isMailbox(kind.kind) ? mine : i18n._(kind.title)}
          proposedEmail={isMineThere ? '' : email}
        />
      </Form>
    </section>
  )
}
