import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentStory } from '../../api/overview.ts'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { isHeld, isKept } from '../contacts/contact-words.ts'

/** Who was alerted, and who was not, with the reason. */
export function Deliveries({ story }: { story: IncidentStory }): ReactNode {
  return (
    <Section title={t`Alerts`} lead={t`One of each kind to every contact.`}>
      {story.deliveries.length === 0 && story.untold.length === 0 && (
        <Empty>
          <Trans>No one was alerted: the monitor was in maintenance, or had no contact that was switched on.</Trans>
        </Empty>
      )}
      <Rows label={t`Alerts`}>
        {story.deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            title={`${delivery.contact_name} (${delivery.contact_kind})`}
            details={
              <>
                {alertText(delivery.type)} · <DeliveryState of={delivery} />
                {delivery.state !== 'delivered' && delivery.error !== null && ` · ${delivery.error}`}
              </>
            }
          />
        ))}
        {story.untold.map((contact) => (
          <Row
            key={contact.id}
            title={
              <Link to="/contacts/$id" params={{ id: contact.id }} className="hover:underline">
                {`${contact.name} (${contact.kind})`}
              </Link>
            }
            details={<span className="text-warn">{untoldText(contact.reason)}</span>}
          />
        ))}
      </Rows>
    </Section>
  )
}

function untoldText(reason: IncidentStory['untold'][number]['reason']): string {
  return reason === 'unconfirmed'
    ? t`Not alerted: the address is not confirmed yet.`
    : t`Not alerted: the contact is switched off.`
}

function DeliveryState({ of }: { of: IncidentStory['deliveries'][number] }): ReactNode {
  const { state, attempts, ended_at: ended, next_attempt_at: next } = of
  switch (state) {
    case 'delivered':
      if (isKept(of.contact_kind, of)) return t`kept in the outbox: no mail leaves this installation`
      if (ended === null) return t`delivered`
      return (
        <Trans>
          delivered <Time at={ended} />
        </Trans>
      )
    case 'failed':
      return (
        <span className="text-bad">
          {plural(attempts, { one: 'failed after # attempt', other: 'failed after # attempts' })}
        </span>
      )
    case 'dropped':
      return t`not sent: the incident was resolved or acknowledged before it was due`
    case 'pending':
      if (next === null) return t`held back while what its monitor depends on is down`
      if (isHeld(of))
        return (
          <Trans>
            held back until <Time at={next} />
          </Trans>
        )
      if (attempts === 0) return t`about to be sent`
      return plural(attempts, { one: '# attempt, trying again soon', other: '# attempts, trying again soon' })
  }
}

const alertWords: Readonly<Record<string, MessageDescriptor>> = {
  'monitor.down': msg`Down alert`,
  'monitor.reminder': msg`Reminder`,
  'monitor.up': msg`Recovery alert`,
}

function alertText(type: string): string {
  const words = alertWords[type]
  return words === undefined ? t`Alert of ${type}` : i18n._(words)
}
