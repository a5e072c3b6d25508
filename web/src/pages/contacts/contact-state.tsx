import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { CopyText } from '../../parts/copy.tsx'
import { Notice, type Tone } from '../../parts/notice.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { type Contact, type ContactStanding, isKept, isReaderAsked, standingOf } from './contact-words.ts'

const looks: Readonly<Record<ContactStanding, { label: MessageDescriptor; class: string; dot: string }>> = {
  works: { label: msg`Works`, class: 'bg-good-soft text-good', dot: 'rounded-full bg-good' },
  untested: { label: msg`Untested`, class: 'bg-sunken text-text', dot: 'rounded-full border-2 border-muted' },
  waiting: { label: msg`Awaiting confirmation`, class: 'bg-warn-soft text-warn', dot: 'rotate-45 bg-warn' },
  expired: { label: msg`Not confirmed`, class: 'bg-warn-soft text-warn', dot: 'rotate-45 border-2 border-warn' },
  failing: { label: msg`Failing`, class: 'bg-bad-soft text-bad', dot: 'bg-bad' },
  kept: { label: msg`No mail is sent`, class: 'bg-warn-soft text-warn', dot: 'rotate-45 border-2 border-warn' },
  off: { label: msg`Switched off`, class: 'bg-sunken text-muted', dot: 'h-0.5! rounded-full bg-muted' },
}

/** Told by word and by shape, not by colour alone. */
export function ContactStanding({ of }: { of: Contact }): ReactNode {
  const standing = standingOf(of)
  const look = looks[standing]
  const isPaused = standing === 'off' && of.state.switched_off_by === 'people'
  return (
    <span
      className={`inline-flex items-center gap-2 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap ${look.class}`}
    >
      <span aria-hidden="true" className={`size-2 shrink-0 ${look.dot}`} />
      {isPaused ? t`Paused` : i18n._(look.label)}
    </span>
  )
}

/** What keeps alerts from this contact, or from knowing that they arrive, and what helps; nothing while it works. */
export function ContactTrouble({ of, action }: { of: Contact; action: ReactNode }): ReactNode {
  const standing = standingOf(of)
  if (standing === 'works') return null
  const tone = tones[standing]
  const { confirmation_url: link } = of.state
  return (
    <div className="mb-6">
      <Notice tone={tone}>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="max-w-2xl grow basis-60 wrap-anywhere">
            <Reason of={of} standing={standing} />
          </p>
          {action}
        </div>
        {standing === 'kept' && link !== null && <ReaderLink url={link} />}
      </Notice>
    </div>
  )
}

const tones: Readonly<Record<Exclude<ContactStanding, 'works'>, Tone>> = {
  untested: 'plain',
  waiting: 'warn',
  expired: 'warn',
  failing: 'bad',
  kept: 'warn',
  off: 'plain',
}

type ReasonProps = { of: Contact; standing: Exclude<ContactStanding, 'works'> }

function Reason({ of, standing }: ReasonProps): ReactNode {
  const { destination } = of.contact
  const { confirmation_expires_at: until, failing_since: since } = of.state
  switch (standing) {
    case 'untested':
      return <Trans>Nothing has arrived there yet. Send a test alert to see whether it works.</Trans>
    case 'kept':
      return <KeptReason of={of} />
    case 'waiting':
      return until === null ? (
        <Trans>Alerts start once the link in the mail to {destination} is opened and its button is pressed.</Trans>
      ) : (
        <Trans>
          Alerts start once the link in the mail to {destination} is opened and its button is pressed. The link works
          until <Time at={until} />.
        </Trans>
      )
    case 'expired':
      return <Trans>The link in the mail to {destination} was not opened in time, so no alerts are sent.</Trans>
    case 'failing':
      return (
        <>
          {since !== null && (
            <Trans>
              Nothing has arrived since <Time at={since} />. After three days without success, it is switched off.
            </Trans>
          )}
          <LastError of={of} />
        </>
      )
    case 'off':
      return <OffReason of={of} />
  }
}

function KeptReason({ of }: { of: Contact }): ReactNode {
  const { destination, confirmed } = of.contact
  return (
    <>
      <Trans>
        This installation sends no mail: alerts to {destination} are kept in the folder <code>outbox</code> of its data,
        and reach no one.
      </Trans>
      {!confirmed && (
        <>
          {' '}
          <Trans>Once it sends mail, alerts go there only if the reader has confirmed.</Trans>
        </>
      )}
    </>
  )
}

/** What no mail brings to the reader. */
function ReaderLink({ url }: { url: string }): ReactNode {
  return (
    <div className="mt-3 flex flex-col gap-1">
      <p>
        <Trans>The reader confirms with this link, which you can pass on:</Trans>
      </p>
      <CopyText label={t`Link for the reader`} text={url} />
    </div>
  )
}

function OffReason({ of }: { of: Contact }): ReactNode {
  switch (of.state.switched_off_by) {
    case 'reader':
      return <Trans>Its reader unsubscribed. When it is switched on again, the reader is asked to confirm again.</Trans>
    case 'people':
      return <Trans>It is paused: no alerts are sent to it.</Trans>
    case 'service':
      return (
        <>
          <Trans>It was switched off because the destination no longer exists or nothing arrived for three days.</Trans>
          <LastError of={of} />
        </>
      )
    case null:
      return isReaderAsked(of) ? (
        <Trans>It is switched off. When it is switched on again, its reader is asked to confirm again.</Trans>
      ) : (
        <Trans>It is switched off.</Trans>
      )
  }
}

function LastError({ of }: { of: Contact }): ReactNode {
  const error = of.state.last_delivery?.error ?? null
  return (
    error !== null && (
      <>
        {' '}
        <Trans>Last: {error}</Trans>
      </>
    )
  )
}

export function LastDelivery({ of }: { of: Contact }): ReactNode {
  const last = of.state.last_delivery
  if (last === null) return <Trans>nothing sent yet</Trans>
  switch (last.state) {
    case 'delivered':
      return isKept(of.contact.kind, last) ? (
        <Trans>
          last alert kept in the outbox <Ago at={last.at} />
        </Trans>
      ) : (
        <Trans>
          last alert delivered <Ago at={last.at} />
        </Trans>
      )
    case 'failed':
      return (
        <span className="text-bad">
          <Trans>
            last alert failed <Ago at={last.at} />
          </Trans>
        </span>
      )
    case 'pending':
      return <Trans>an alert is on its way</Trans>
  }
}
