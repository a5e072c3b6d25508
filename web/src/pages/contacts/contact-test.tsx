import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { ContactTest } from '../../api/contacts.ts'
import { Button } from '../../parts/button.tsx'
import { noticeClass } from '../../parts/notice.tsx'
import { problemOf } from '../../parts/problem.ts'
import { Time } from '../../parts/time.tsx'
import type { Contact } from './contact-words.ts'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

type Outcome = { type: 'sending' } | { type: 'accepted'; test: ContactTest } | { type: 'refused'; message: string }

export type TestOfContact = {
  /** What became of the last test; null before the first one. */
  outcome: Outcome | null
  isBusy: boolean
  send: () => void
}

/** Sends a test alert to a contact at one press, and keeps what became of it until the next test. */
export function useContactTest({ contact: { id } }: Contact): TestOfContact {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const send = async (): Promise<void> => {
    setOutcome({ type: 'sending' })
    try {
      setOutcome({ type: 'accepted', test: await api.test(id) })
    } catch (error) {
      setOutcome({ type: 'refused', message: problemOf(error).message })
    }
    await changed()
  }
  return { outcome, isBusy: outcome?.type === 'sending', send: () => void send() }
}

type ButtonProps = {
  /** Where the button's own word does not say what is tested. */
  label?: string
  isBusy: boolean
  onPress: () => void
}

export function TestButton({ label, isBusy, onPress }: ButtonProps): ReactNode {
  return (
    <Button aria-label={label} isBusy={isBusy} isRoomy onClick={onPress}>
      <Trans>Test</Trans>
    </Button>
  )
}

const tones = { sending: 'plain', accepted: 'good', refused: 'bad' } as const

/** It is in the page before the first test, so that screen readers read out what comes into it. */
export function TestOutcome({ of, outcome }: { of: Contact; outcome: Outcome | null }): ReactNode {
  return (
    <div role="status" className="w-full empty:absolute empty:w-0">
      {outcome !== null && (
        <div className={`${noticeClass(tones[outcome.type])} wrap-anywhere`}>
          <OutcomeWords of={of} outcome={outcome} />
        </div>
      )}
    </div>
  )
}

function OutcomeWords({ of, outcome }: { of: Contact; outcome: Outcome }): ReactNode {
  const { destination } = of.contact
  switch (outcome.type) {
    case 'sending':
      return (
        <Trans>
          A test alert is on its way to {destination}, in one attempt of at most 15 seconds. It is not listed among the
          alerts.
        </Trans>
      )
    case 'accepted':
      return (
        <>
          <Accepted {...outcome.test} /> <Trans>It is not listed among the alerts.</Trans>
        </>
      )
    case 'refused':
      return outcome.message
  }
}

function Accepted({ status_code: code, sent_at: at }: ContactTest): ReactNode {
  return code === null ? (
    <Trans>
      The test alert was accepted, <Time at={at} />.
    </Trans>
  ) : (
    <Trans>
      The test alert was accepted with {code}, <Time at={at} />.
    </Trans>
  )
}
