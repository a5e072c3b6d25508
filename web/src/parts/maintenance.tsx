import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../workspace.tsx'
import { Notice } from './notice.tsx'
import { Time } from './time.tsx'
import { maintenanceKey, readAgainMs, useMaintenanceApi } from './use-maintenance.ts'

/** Says what maintenance is under way, of one monitor or of any. The page around it does not wait for it. */
export function MaintenanceNotice({ monitorId = null }: { monitorId?: string | null }): ReactNode {
  const { workspace } = useWorkspace()
  const api = useMaintenanceApi()
  const { data: windows = [] } = useQuery({
    queryKey: ['workspace', workspace.id, maintenanceKey],
    queryFn: () => api.list(),
    refetchInterval: readAgainMs,
  })
  const current = windows.filter(
    ({ current: now, monitor_ids: ids }) =>
      now !== null && (monitorId === null || ids === null || ids.includes(monitorId)),
  )
  if (current.length === 0) return null
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <ul className="flex flex-col gap-1">
          {current.map((window) => (
            <li key={window.id} className="wrap-anywhere">
              In maintenance{monitorId === null && window.monitor_ids !== null && <Reach of={window.monitor_ids} />}:{' '}
              <Link to="/maintenance/$id" params={{ id: window.id }} className="underline underline-offset-2">
                {window.name}
              </Link>
              , until {window.current !== null && <Time at={window.current.ends_at} />}. Alerts rest.
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

function Reach({ of }: { of: readonly string[] }): ReactNode {
  return ` (${of.length} monitor${of.length === 1 ? '' : 's'})`
}
