import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type IncidentRecord, overviewApi } from '../api/overview.ts'
import { overviewQuery } from '../pages/monitors/monitors-query.ts'
import { useWorkspace } from './workspace.tsx'

/** How many incidents run: the open ones, and those together with the acknowledged ones. */
export type Standing = { open: number; running: number }

/** A hidden tab shows its title and its icon all the same. */
const readAgainMs = { seen: 20_000, hidden: 60_000 }
/** As many as the service lists at once; `pageIncidents` lists fewer. */
const mostListed = 50

/** Null until it is known. The overview knows it at once while it is open; elsewhere it is asked for. */
export function useStanding(): Standing | null {
  const { workspace } = useWorkspace()
  const { id } = workspace
  const client = useQueryClient()
  const own = useMemo(() => standingKey(id), [id])
  const asked = useQuery({
    queryKey: own,
    queryFn: () => readStanding(id),
    refetchInterval: () => (document.hidden ? readAgainMs.hidden : readAgainMs.seen),
    refetchIntervalInBackground: true,
  })
  const listed = useQuery({ ...overviewQuery(id), enabled: false })
  useReadAfterChanges(client, own)
  const isListNewer = listed.dataUpdatedAt > asked.dataUpdatedAt
  const incidents = listed.data?.incidents
  if (incidents !== undefined && isListNewer && incidents.length < mostListed) return standingOf(incidents)
  return asked.data ?? null
}

/** Below the overview's key, so that whoever has that read again has this read again. */
function standingKey(workspaceId: string): string[] {
  return [...overviewQuery(workspaceId).queryKey, 'standing']
}

async function readStanding(workspaceId: string): Promise<Standing> {
  const { pageIncidents } = overviewApi(workspaceId)
  const [open, acknowledged] = await Promise.all([pageIncidents('open', ''), pageIncidents('acknowledged', '')])
  return standingOf([...open.data, ...acknowledged.data])
}

function standingOf(incidents: readonly IncidentRecord[]): Standing {
  return { open: incidents.filter(({ status }) => status === 'open').length, running: incidents.length }
}

/** Whatever a person does here may end an incident, or acknowledge it. */
function useReadAfterChanges(client: QueryClient, queryKey: string[]): void {
  useEffect(
    () =>
      client.getMutationCache().subscribe(({ type, mutation }) => {
        if (type === 'updated' && mutation.state.status === 'success') void client.invalidateQueries({ queryKey })
      }),
    [client, queryKey],
  )
}
