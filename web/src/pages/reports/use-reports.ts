import { useMemo } from 'react'
import { type ReportRecord, type ReportsApi, reportsApi } from '../../api/reports.ts'
import { useRead, useWorkspace } from '../../session/workspace.tsx'

/** The key under which the reports of a workspace are cached. */
export const reportsKey = 'reports'

export function useReportsApi(): ReportsApi {
  const { workspace } = useWorkspace()
  return useMemo(() => reportsApi(workspace.id), [workspace.id])
}

export function useReports(): ReportRecord[] {
  const api = useReportsApi()
  return useRead(reportsKey, { read: () => api.list() }).data
}
