import type { QueryClient } from '@tanstack/react-query'
import { overviewApi } from '../../api/overview.ts'
import { workspacesQuery } from '../../session/session.ts'
import { chosenOf } from '../../session/workspace-choice.ts'
import { type MonitorList, listOf } from './monitors-rows.ts'

type OverviewQuery = { queryKey: string[]; queryFn: () => Promise<MonitorList> }

export function overviewQuery(workspaceId: string): OverviewQuery {
  return {
    queryKey: ['workspace', workspaceId, 'overview'],
    queryFn: async () => listOf(await overviewApi(workspaceId).read()),
  }
}

/** Asks for what the page will need while its script is on its way; what goes wrong, the page finds out itself. */
export async function readMonitorsEarly(client: QueryClient): Promise<void> {
  const all = await client.ensureQueryData(workspacesQuery).catch(() => [])
  const workspace = chosenOf(all)
  if (workspace !== undefined) await client.prefetchQuery({ ...overviewQuery(workspace.id), staleTime: Infinity })
}
