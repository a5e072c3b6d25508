import { useMemo } from 'react'
import { type MaintenanceApi, maintenanceApi } from '../api/maintenance.ts'
import { useWorkspace } from '../session/workspace.tsx'

/** It begins and ends without anybody changing it. */
export const readAgainMs = 15_000

/** What the list of windows is read under; `useChanged` takes it. */
export const maintenanceKey = 'maintenance'

export function useMaintenanceApi(): MaintenanceApi {
  const { workspace } = useWorkspace()
  return useMemo(() => maintenanceApi(workspace.id), [workspace.id])
}
