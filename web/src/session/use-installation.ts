import { useQuery } from '@tanstack/react-query'
import type { InstallationRecord } from '../api/console.ts'
import { useWorkspace } from './workspace.tsx'

/** What owners are told of the installation; null for everybody else, and until it is read. */
export function useInstallation({ everyMs = false }: { everyMs?: number | false } = {}): InstallationRecord | null {
  const { workspace, api, isOwner } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['workspace', workspace.id, 'installation'],
    queryFn: () => api.readInstallation(),
    enabled: isOwner,
    refetchInterval: everyMs,
  })
  return isOwner ? (data ?? null) : null
}

/** Whether the person may let monitors reach the network that Perigee stands in. */
export function usePrivateTargetChoice(): boolean {
  return useInstallation()?.has_private_target_choice ?? false
}
