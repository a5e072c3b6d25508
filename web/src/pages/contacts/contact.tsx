import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { alertRulesText } from '../../parts/form/alert-rules.tsx'
import { Button } from '../../parts/button.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { PageHead, Section, actionsClass, linkClass } from '../../parts/page.tsx'
import { listed } from '../../parts/language.ts'
import { problemOf } from '../../parts/problem.ts'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { DeleteContact, PauseContact, ReplaceSecret, SwitchContactOn } from './contact-dialogs.tsx'
import { EditContact } from './contact-edit.tsx'
import { DeliveryLog } from './contact-log.tsx'
import { SigningSecret } from './contact-secret.tsx'
import { ContactWords } from './contact-templates.tsx'
import { ContactStanding, ContactTrouble, LastDelivery } from './contact-state.tsx'
import { type TestOfContact, TestButton, TestOutcome, useContactTest } from './contact-test.tsx'
import {
  type Contact,
  deliveryFilters,
  isLinkOver,
  kindTitle,
  kindWordsOf,
  mayBeTested,
  standingOf,
} from './contact-words.ts'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useContacts, useContactsApi, useContactsChanged } from './use-contacts.ts'

export function ContactPage(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/contacts/$id' })
  const { state: wanted } = useSearch({ from: '/inside/shell/contacts/$id' })
  const contacts = useContacts()
  const of = contacts.find(({ contact }) => contact.id === id)
  if (of === undefined) return <Missing />
  const filter = deliveryFilters.find(({ value }) => value === wanted)?.value ?? 'all'
  return <Shown key={id} of={of} isLast={contacts.length === 1} log={<DeliveryLog of={of} filter={filter} />} />
}

/** One that there is not, or not in this workspace. */
function Missing(): ReactNode {
  const { name } = useWorkspace().workspace
  return (
    <>
      <PageHead title={t`There is no such contact`} lead={t`It is not in ${name}, or it was deleted.`} />
      <Link to="/contacts" className={linkClass}>
        <Trans>To the contacts</Trans>
      </Link>
    </>
  )
}

type Asked =
  | { what: 'edit' | 'words' | 'pause' | 'switch-on' | 'replace' | 'delete' }
  | { what: 'secret'; secret: string }

type ShownProps = { of: Contact; isLast: boolean; log: ReactNode }

function Shown({ of, isLast, log }: ShownProps): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const test = useContactTest(of)
  const mayWrite = useMayWrite()
  const lead = (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <ContactStanding of={of} />
      <span>
        {kindTitle(of.contact.kind)}, <LastDelivery of={of} />
      </span>
    </span>
  )
  return (
    <>
      <PageHead
        title={of.contact.name}
        lead={lead}
        action={mayWrite && <Actions of={of} test={test} onAsk={setAsked} />}
      />
      {mayWrite && (
        <div className="mb-6 has-[[role=status]:empty]:mb-0">
          <TestOutcome of={of} outcome={test.outcome} />
        </div>
      )}
      <ContactTrouble of={of} action={mayWrite && <Cure of={of} onAsk={setAsked} />} />
      <About of={of} />
      {log}
      <Answer of={of} isLast={isLast} asked={asked} onAsk={setAsked} />
    </>
  )
}

type ActionsProps = { of: Contact; onAsk: (asked: Asked) => void }

function Actions({ of, test, onAsk }: ActionsProps & { test: TestOfContact }): ReactNode {
  const { enabled, kind } = of.contact
  return (
    <div className={actionsClass}>
      {mayBeTested(of) && <TestButton isBusy={test.isBusy} onPress={test.send} />}
      {kindWordsOf(kind) !== null && (
        <Button onClick={() => onAsk({ what: 'edit' })}>
          <Trans>Edit</Trans>
        </Button>
      )}
      {contactTraitsOf(kind)?.isForPrograms !== true && kindWordsOf(kind) !== null && (
        <Button onClick={() => onAsk({ what: 'words' })}>
          <Trans>Message text</Trans>
        </Button>
      )}
      {contactTraitsOf(kind)?.isSigned === true && (
        <Button onClick={() => onAsk({ what: 'replace' })}>
          <Trans>Replace the secret</Trans>
        </Button>
      )}
      {enabled && (
        <Button onClick={() => onAsk({ what: 'pause' })}>
          <Trans>Pause</Trans>
        </Button>
      )}
      <Button look="danger" onClick={() => onAsk({ what: 'delete' })}>
        <Trans>Delete</Trans>
      </Button>
    </div>
  )
}

/** The action that helps, beside the trouble. */
function Cure({ of, onAsk }: ActionsProps): ReactNode {
  switch (standingOf(of)) {
    case 'off':
      return (
        <Button onClick={() => onAsk({ what: 'switch-on' })}>
          <Trans>Switch on</Trans>
        </Button>
      )
    case 'waiting':
    case 'expired':
      return <AskReader of={of} />
    case 'kept':
      return isLinkOver(of.state) ? <AskReader of={of} /> : null
    case 'untested':
    case 'works':
    case 'failing':
      return null
  }
}

function AskReader({ of }: { of: Contact }): ReactNode {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const { id, destination } = of.contact
  const ask = async (): Promise<void> => {
    setBusy(true)
    try {
      await api.askReader(id)
      toast(of.isMailKept ? t`The new link is ready.` : t`Another mail is on its way to ${destination}.`)
    } catch (error) {
      toast(problemOf(error).message)
    } finally {
      setBusy(false)
      await changed()
    }
  }
  return (
    <Button isBusy={isBusy} onClick={() => void ask()}>
      {of.isMailKept ? <Trans>Create a new link</Trans> : <Trans>Send the mail again</Trans>}
    </Button>
  )
}

function About({ of: { contact, state } }: { of: Contact }): ReactNode {
  const { former_secret_until: former, only_contact_of: alone } = state
  return (
    <Section title={t`About`}>
      <Facts>
        <Fact term={t({ message: 'To', context: 'destination' })}>{contact.destination}</Fact>
        {contact.tags !== undefined && <Fact term={t`Tags`}>{listed(contact.tags)}</Fact>}
        {contact.templates !== undefined && <Fact term={t`Message text`}>{t`its own`}</Fact>}
        {contactTraitsOf(contact.kind)?.isSigned === true && (
          <Fact term={t`Signed`}>
            {former === null ? (
              t`with its secret`
            ) : (
              <Trans>
                with two secrets, the previous one until <Time at={former} />
              </Trans>
            )}
          </Fact>
        )}
        {contact.alert_rules !== undefined && (
          <Fact term={t({ message: 'Alerts', context: 'which alerts' })}>
            {alertRulesText(contact.alert_rules).join('; ')}
          </Fact>
        )}
        {alone > 0 && (
          <Fact term={t`Needed by`}>
            <Plural value={alone} one="# monitor that alerts no one else" other="# monitors that alert no one else" />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}

type AnswerProps = { of: Contact; isLast: boolean; asked: Asked | null; onAsk: (asked: Asked | null) => void }

function Answer({ of, isLast, asked, onAsk }: AnswerProps): ReactNode {
  if (asked === null) return null
  const props = { of, onClose: () => onAsk(null) }
  switch (asked.what) {
    case 'edit': {
      const kind = kindWordsOf(of.contact.kind)
      return kind === null ? null : <EditContact {...props} kind={kind} />
    }
    case 'words':
      return <ContactWords {...props} />
    case 'pause':
      return <PauseContact {...props} />
    case 'switch-on':
      return <SwitchContactOn {...props} />
    case 'replace':
      return <ReplaceSecret {...props} onReplaced={(secret) => onAsk({ what: 'secret', secret })} />
    case 'secret':
      return <SigningSecret secret={asked.secret} onClose={props.onClose} />
    case 'delete':
      return <DeleteContact {...props} isLast={isLast} />
  }
}
