import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MaintenanceRecord } from '../api/maintenance.ts'
import { useWorkspace } from '../session/workspace.tsx'
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
              <Current window={window} reach={monitorId === null ? (window.monitor_ids?.length ?? null) : null} />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

/** `reach`: of how many monitors, where that is to be said. */
function Current({ window, reach }: { window: MaintenanceRecord; reach: number | null }): ReactNode {
  const { id, name, current } = window
  const link = (
    <Link to="/maintenance/$id" params={{ id }} className="underline underline-offset-2">
      {name}
    </Link>
  )
  if (current === null) return null
  const end = <Time at={current.ends_at} />
  if (reach === null)
    return (
      <Trans>
        In maintenance: {link}, until {end}. Alerts rest.
      </Trans>
    )
  return (
    <Trans>
      In maintenance (<Plural value={reach} one="# monitor" other="# monitors" />
      ): {link}, until {end}. Alerts rest.
    </Trans>
  )
}
