import { useMemo } from 'react'
import { type StatusPagesApi, statusPagesApi } from '../../api/status-pages.ts'
import { useWorkspace } from '../../session/workspace.tsx'

export function useStatusPagesApi(): StatusPagesApi {
  const { workspace } = useWorkspace()
  return useMemo(() => statusPagesApi(workspace.id), [workspace.id])
}

/** The keys under which the list and one page are cached; `useChanged` takes them. */
export const statusPagesKey = 'status-pages'

export function statusPageKey(id: string): string {
  return `status-page ${id}`
}
