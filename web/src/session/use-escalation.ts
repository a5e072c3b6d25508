import { useMemo } from 'react'
import { type EscalationApi, escalationApi, type PolicyRecord } from '../api/escalation.ts'
import { useRead, useWorkspace } from './workspace.tsx'

/** The key under which the policies of a workspace are cached. */
export const policiesKey = 'escalation-policies'

export function useEscalationApi(): EscalationApi {
  const { workspace } = useWorkspace()
  return useMemo(() => escalationApi(workspace.id), [workspace.id])
}

export function usePolicies(): PolicyRecord[] {
  const api = useEscalationApi()
  return useRead(policiesKey, { read: () => api.list() }).data
}
