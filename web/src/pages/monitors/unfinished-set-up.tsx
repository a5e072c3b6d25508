import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { contactsApi } from '../../api/contacts.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useWorkspace } from '../../session/workspace.tsx'

/**
 * Monitors without a contact: owners are asked whether that is meant, until they say so in this browser. The page
 * around does not wait for it.
 */
export function Unfinished(): ReactNode {
  const { workspace, isOwner } = useWorkspace()
  const storageKey = `perigee.without-contacts.${workspace.id}`
  const [isMeant, setMeant] = useState(() => localStorage.getItem(storageKey) !== null)
  const { data: contacts } = useQuery({
    queryKey: ['workspace', workspace.id, 'contacts'],
    queryFn: () => contactsApi(workspace.id).list(),
    enabled: isOwner && !isMeant,
  })
  if (!isOwner || isMeant || contacts?.length !== 0) return null
  const leave = (): void => {
    localStorage.setItem(storageKey, 'meant')
    setMeant(true)
  }
  return (
    <div className="mb-6">
      <Notice>
        <span className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <span>
            <Trans>No contact is alerted yet when a monitor goes down.</Trans>
          </span>
          <span className="flex flex-wrap gap-2">
            <ButtonLink to="/welcome" search={{ step: 'contacts' }}>
              <Trans>Continue the set-up</Trans>
            </ButtonLink>
            <Button look="quiet" onClick={leave}>
              <Trans>Leave as is</Trans>
            </Button>
          </span>
        </span>
      </Notice>
    </div>
  )
}
