import { useMemo } from 'react'
import { type OnCallApi, onCallApi } from '../../api/on-call.ts'
import { useWorkspace } from '../../session/workspace.tsx'

export function useOnCallApi(): OnCallApi {
  const { workspace } = useWorkspace()
  return useMemo(() => onCallApi(workspace.id), [workspace.id])
}

/** The keys under which schedules and who is on call now are cached. */
export const schedulesKey = 'on-call-schedules'
export const onCallKey = 'on-call'

/** The key of the shifts of one schedule. */
export function shiftsKey(id: string): string {
  return `on-call-shifts ${id}`
}

/** The key of the overrides of one schedule. */
export function overridesKey(id: string): string {
  return `on-call-overrides ${id}`
}
