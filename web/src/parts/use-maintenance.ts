import { useMemo } from 'react'
import { type MaintenanceApi, maintenanceApi } from '../api/maintenance.ts'
import { useWorkspace } from '../session/workspace.tsx'

/** Maintenance begins and ends by itself, so it is read again. */
export const readAgainMs = 15_000

/** The key under which the list of windows is cached; `useChanged` takes it. */
export const maintenanceKey = 'maintenance'

export function useMaintenanceApi(): MaintenanceApi {
  const { workspace } = useWorkspace()
  return useMemo(() => maintenanceApi(workspace.id), [workspace.id])
}
