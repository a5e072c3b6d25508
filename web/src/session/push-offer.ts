import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useWorkspace } from './workspace.tsx'

/**
 * Whether this browser is offered to get alerts: after a person has acknowledged something here, until that is answered,
 * and never again once it was dismissed.
 */
export function usePushOffer(): { isOffered: boolean; offer: () => void; dismiss: () => void } {
  const { workspace } = useWorkspace()
  const client = useQueryClient()
  const { id } = workspace
  // It is kept where other pages find it, and is forgotten with the tab.
  const { data: isOffered } = useQuery({
    queryKey: keyOf(id),
    queryFn: () => false,
    enabled: false,
    initialData: false,
    gcTime: Infinity,
  })
  const offer = useCallback(() => {
    if (localStorage.getItem(storageKey) === null) client.setQueryData(keyOf(id), true)
  }, [client, id])
  const dismiss = useCallback(() => {
    localStorage.setItem(storageKey, 'dismissed')
    client.setQueryData(keyOf(id), false)
  }, [client, id])
  return { isOffered, offer, dismiss }
}

/** For all workspaces: a person who wants no notifications here wants none of any. */
const storageKey = 'perigee.push-offer'

function keyOf(workspaceId: string): string[] {
  return ['push offer', workspaceId]
}
