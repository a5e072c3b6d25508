import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import type { AddedContact, ContactTest } from '../../api/contacts.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { problemOf } from '../../parts/problem.ts'
import { HowToVerify } from '../contacts/contact-secret.tsx'
import { useContactsApi, useContactsChanged } from '../contacts/use-contacts.ts'
import type { GoOn } from './outcome.tsx'

type Testing = { type: 'sending' } | { type: 'accepted'; test: ContactTest } | { type: 'failed'; message: string }
type Added = AddedContact & { testing: Testing }

type FirstTest = {
  added: Added | null
  /** Sends the test of a contact that was just added. */
  begin: (added: AddedContact) => void
  again: () => void
  /** The person goes on with something else in this step. */
  stay: () => void
}

/** One test of a contact, right after it was added. Where no secret is shown, the step ends with its success. */
export function useFirstTest(goOn: GoOn): FirstTest {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const [added, setAdded] = useState<Added | null>(null)
  // Outcomes of earlier tests are dropped.
  const turn = useRef(0)
  const mayGoOn = useRef(true)
  const send = async (made: AddedContact): Promise<void> => {
    const own = (turn.current += 1)
    setAdded({ ...made, testing: { type: 'sending' } })
    const testing = await testOf(() => api.test(made.contact.id))
    await changed()
    if (own !== turn.current) return
    setAdded({ ...made, testing })
    if (testing.type === 'accepted' && made.secret === null && mayGoOn.current)
      await goOn(<Accepted name={made.contact.name} test={testing.test} />)
  }
  return {
    added,
    begin: (made) => {
      mayGoOn.current = true
      void send(made)
    },
    again: () => void (added !== null && send(added)),
    stay: () => void (mayGoOn.current = false),
  }
}

async function testOf(test: () => Promise<ContactTest>): Promise<Testing> {
  try {
    return { type: 'accepted', test: await test() }
  } catch (error) {
    return { type: 'failed', message: problemOf(error).message }
  }
}

/** What came of the test, and the secret that is told this once. */
export function AddedNow({ contact, secret, testing, onAgain }: Added & { onAgain: () => void }): ReactNode {
  const { name } = contact
  return (
    <section aria-label={t`${name} is added`} className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <div role="status">
        {testing.type === 'sending' && (
          <p className="text-muted">
            <Trans>{name} gets alerts from now on. A test alert is on its way there …</Trans>
          </p>
        )}
        {testing.type === 'accepted' && (
          <div className="text-good">
            <Accepted name={name} test={testing.test} />
          </div>
        )}
        {testing.type === 'failed' && (
          <p className="text-bad wrap-anywhere">
            <Trans>The test alert did not arrive at {name}.</Trans> {testing.message}
          </p>
        )}
      </div>
      {testing.type === 'failed' && (
        <span className="flex flex-wrap gap-2">
          <Button onClick={onAgain}>
            <Trans>Send it again</Trans>
          </Button>
          <ButtonLink to="/contacts" look="quiet">
            <Trans>Change the contact</Trans>
          </ButtonLink>
        </span>
      )}
      {secret !== null && <Secret secret={secret} />}
    </section>
  )
}

function Accepted({ name, test: { status_code: code } }: { name: string; test: ContactTest }): ReactNode {
  return (
    <p className="font-medium wrap-anywhere">
      {code === null
        ? t`${name} gets alerts from now on: a test alert was accepted there.`
        : t`${name} gets alerts from now on: a test alert was accepted there with ${code}.`}
    </p>
  )
}

function Secret({ secret }: { secret: string }): ReactNode {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium">
        <Trans>Signing secret</Trans>
      </p>
      <p className="text-sm text-muted">
        <Trans>It is shown only once. Your program uses it to check that messages are genuine.</Trans>
      </p>
      <CopyText label={t`Signing secret`} text={secret} />
      <details className="text-sm">
        <summary className="min-h-6 text-muted">
          <Trans>How your program does that</Trans>
        </summary>
        <div className="mt-3">
          <HowToVerify />
        </div>
      </details>
    </div>
  )
}
