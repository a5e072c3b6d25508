import type { ReactNode } from 'react'
import { Notice } from '../parts/notice.tsx'
import { Ago, Time } from '../parts/time.tsx'
import { type Contact, type Standing, isReaderAsked, standingOf } from './contact-words.ts'

const looks: Readonly<Record<Standing, { label: string; class: string; dot: string }>> = {
  works: { label: 'Works', class: 'bg-good-soft text-good', dot: 'rounded-full bg-good' },
  waiting: { label: 'Waits for its reader', class: 'bg-warn-soft text-warn', dot: 'rotate-45 bg-warn' },
  expired: { label: 'Not confirmed', class: 'bg-warn-soft text-warn', dot: 'rotate-45 border-2 border-warn' },
  failing: { label: 'Failing', class: 'bg-bad-soft text-bad', dot: 'bg-bad' },
  off: { label: 'Switched off', class: 'bg-sunken text-muted', dot: 'h-0.5! rounded-full bg-muted' },
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
      {isPaused ? 'Paused' : look.label}
    </span>
  )
}

/** What keeps alerts from it, and what helps; nothing while it works. */
export function ContactTrouble({ of, action }: { of: Contact; action: ReactNode }): ReactNode {
  const standing = standingOf(of)
  if (standing === 'works') return null
  const tone = standing === 'failing' ? 'bad' : standing === 'off' ? 'plain' : 'warn'
  return (
    <div className="mb-6">
      <Notice tone={tone}>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="max-w-2xl grow basis-60 wrap-anywhere">
            <Reason of={of} standing={standing} />
          </p>
          {action}
        </div>
      </Notice>
    </div>
  )
}

type ReasonProps = { of: Contact; standing: Exclude<Standing, 'works'> }

function Reason({ of, standing }: ReasonProps): ReactNode {
  const { confirmation_expires_at: until, failing_since: since } = of.state
  switch (standing) {
    case 'waiting':
      return (
        <>
          Alerts begin once the link in the mail to {of.contact.destination} is opened and its button pressed
          {until !== null && (
            <>
              , until <Time at={until} />
            </>
          )}
          .
        </>
      )
    case 'expired':
      return <>Nobody opened the link in the mail to {of.contact.destination} in time, so no alerts are sent.</>
    case 'failing':
      return (
        <>
          Nothing arrived since {since !== null && <Time at={since} />}. After three days of that it is switched off.
          <LastError of={of} />
        </>
      )
    case 'off':
      return <OffReason of={of} />
  }
}

function OffReason({ of }: { of: Contact }): ReactNode {
  switch (of.state.switched_off_by) {
    case 'reader':
      return <>Its reader ended the alerts. Switched on again, the reader is asked once more.</>
    case 'people':
      return <>It is paused: no alerts are sent to it.</>
    case 'service':
      return (
        <>
          It was switched off, because the destination is gone for good or nothing arrived for three days.
          <LastError of={of} />
        </>
      )
    case null:
      return <>It is switched off.{isReaderAsked(of) && ' Switched on again, its reader is asked once more.'}</>
  }
}

function LastError({ of }: { of: Contact }): ReactNode {
  const error = of.state.last_delivery?.error ?? null
  return error !== null && <> Last: {error}</>
}

export function LastDelivery({ of }: { of: Contact }): ReactNode {
  const last = of.state.last_delivery
  if (last === null) return <>nothing sent yet</>
  switch (last.state) {
    case 'delivered':
      return (
        <>
          last alert delivered <Ago at={last.at} />
        </>
      )
    case 'failed':
      return (
        <span className="text-bad">
          last alert failed <Ago at={last.at} />
        </span>
      )
    case 'pending':
      return <>an alert is on its way</>
  }
}
