import { useMemo } from 'react'
import { type ObjectivesApi, objectivesApi } from '../../api/objectives.ts'
import { useWorkspace } from '../../session/workspace.tsx'

/** Budgets burn by themselves, so they are read again. */
export const readAgainMs = 30_000

/** The key under which the list is cached; that of one is `objectiveKey`. */
export const objectivesKey = 'objectives'

export function objectiveKey(id: string): string {
  return `objective ${id}`
}

export function useObjectivesApi(): ObjectivesApi {
  const { workspace } = useWorkspace()
  return useMemo(() => objectivesApi(workspace.id), [workspace.id])
}
