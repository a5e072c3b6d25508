import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { subscribeToPush } from '../../api/push.ts'
import { browserOf } from '../../parts/browser-name.ts'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

type PushHere = {
  /** The contact that this browser was last made, if it still is one. */
  ownId: string | null
  isBusy: boolean
  /** Right after a press: the browser asks its person then. False where it did not come to be a contact. */
  add: () => Promise<boolean>
}

/** Makes a contact of this browser, and says what came of it. */
export function usePushHere(): PushHere {
  const { workspace } = useWorkspace()
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const storageKey = `perigee.push.${workspace.id}`
  const [ownId, setOwnId] = useState(() => localStorage.getItem(storageKey))
  const add = async (): Promise<boolean> => {
    setBusy(true)
    try {
      const options = await subscribeToPush()
      const name = browserOf(navigator.userAgent)
      const { contact } = await api.add({ kind: 'web_push', name, destination: name, options })
      localStorage.setItem(storageKey, contact.id)
      await changed()
      setOwnId(contact.id)
      toast(t`${name} gets alerts from now on.`)
      return true
    } catch (error) {
      const { message, fields } = problemOf(error)
      // A plan without this kind is a problem of the field `kind`, which no form shows here.
      toast(Object.values(fields).flat()[0] ?? message)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { ownId, isBusy, add }
}
