import type { QueryClient, QueryFunctionContext } from '@tanstack/react-query'
import { overviewApi } from '../../api/overview.ts'
import { workspacesQuery } from '../../session/session.ts'
import { chosenOf } from '../../session/workspace-choice.ts'
import type { MonitorList } from './monitors-rows.ts'

type OverviewQuery = { queryKey: string[]; queryFn: (context: QueryFunctionContext) => Promise<MonitorList> }

export function overviewQuery(workspaceId: string): OverviewQuery {
  return {
    queryKey: ['workspace', workspaceId, 'overview'],
    queryFn: async (context) => {
      const { readPage } = overviewApi(workspaceId)
      // Pages that only want to know what of it is known already do without its script.
      const [first, { readPages }] = await Promise.all([readPage(null), import('./monitors-pages.ts')])
      return readPages(first, readPage, context)
    },
  }
}

/** Asks for what the page will need while its script is on its way; what goes wrong, the page finds out itself. */
export async function readMonitorsEarly(client: QueryClient): Promise<void> {
  const all = await client.ensureQueryData(workspacesQuery).catch(() => [])
  const workspace = chosenOf(all)
  if (workspace !== undefined) await client.prefetchQuery({ ...overviewQuery(workspace.id), staleTime: Infinity })
}
