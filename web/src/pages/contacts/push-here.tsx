import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { isPushPossible } from '../../api/push.ts'
import { Button } from '../../parts/button.tsx'
import type { Contact } from './contact-words.ts'
import { usePushHere } from './use-push-here.ts'

type PushHereProps = {
  contacts: readonly Contact[]
  /** What is said in place of the button once this browser is a contact. */
  done?: string
}

/** Makes a contact of this browser, where it can be one and is none yet. */
export function PushHere({ contacts, done }: PushHereProps): ReactNode {
  const { ownId, isBusy, add } = usePushHere()
  if (!isPushPossible()) return null
  if (contacts.some(({ contact }) => contact.id === ownId && contact.enabled))
    return done === undefined ? null : <p className="text-sm text-muted">{done}</p>
  return (
    <Button isBusy={isBusy} onClick={() => void add()}>
      <Trans>Push to this browser</Trans>
    </Button>
  )
}
