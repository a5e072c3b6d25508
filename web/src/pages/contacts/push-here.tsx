import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { isPushPossible, subscribeToPush } from '../../api/push.ts'
import { browserOf } from '../../parts/browser-name.ts'
import { Button } from '../../parts/button.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/toast.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import type { Contact } from './contact-words.ts'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

type PushHereProps = {
  contacts: readonly Contact[]
  /** What is said in place of the button once this browser is a contact. */
  done?: string
}

/** Makes a contact of this browser, where it can be one and is none yet. */
export function PushHere({ contacts, done }: PushHereProps): ReactNode {
  const { workspace } = useWorkspace()
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const storageKey = `perigee.push.${workspace.id}`
  const [own, setOwn] = useState(() => localStorage.getItem(storageKey))
  if (!isPushPossible()) return null
  if (contacts.some(({ contact }) => contact.id === own && contact.enabled))
    return done === undefined ? null : <p className="text-sm text-muted">{done}</p>
  const add = async (): Promise<void> => {
    setBusy(true)
    try {
      const options = await subscribeToPush()
      const name = browserOf(navigator.userAgent)
      const { contact } = await api.add({ kind: 'web_push', name, destination: name, options })
      localStorage.setItem(storageKey, contact.id)
      await changed()
      setOwn(contact.id)
      toast(t`${name} gets alerts from now on.`)
    } catch (error) {
      const { message, fields } = problemOf(error)
      // A plan without this kind is a problem of the field `kind`, which no form shows here.
      toast(Object.values(fields).flat()[0] ?? message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button isBusy={isBusy} onClick={() => void add()}>
      <Trans>Push to this browser</Trans>
    </Button>
  )
}
