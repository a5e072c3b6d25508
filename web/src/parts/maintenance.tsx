import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { tagKey } from '#core/tag-key.ts'
import type { MaintenanceRecord } from '../api/maintenance.ts'
import { useWorkspace } from '../session/workspace.tsx'
import { Notice } from './notice.tsx'
import { Time } from './time.tsx'
import { maintenanceKey, readAgainMs, useMaintenanceApi } from './use-maintenance.ts'

type Watched = { id: string; tags: readonly string[] }

/** Says what maintenance is under way, of one monitor or of any. The page around it does not wait for it. */
export function MaintenanceNotice({ monitor = null }: { monitor?: Watched | null }): ReactNode {
  const { workspace } = useWorkspace()
  const api = useMaintenanceApi()
  const { data: windows = [] } = useQuery({
    queryKey: ['workspace', workspace.id, maintenanceKey],
    queryFn: () => api.list(),
    refetchInterval: readAgainMs,
  })
  const current = windows.filter((window) => window.current !== null && (monitor === null || covers(window, monitor)))
  if (current.length === 0) return null
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <ul className="flex flex-col gap-1">
          {current.map((window) => (
            <li key={window.id} className="wrap-anywhere">
              <Current window={window} isOfAny={monitor === null} />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

function covers({ monitor_ids: ids, monitor_tags: tags }: MaintenanceRecord, { id, tags: own }: Watched): boolean {
  const wanted = new Set(tags.map(tagKey))
  return ids === null || ids.includes(id) || own.some((tag) => wanted.has(tagKey(tag)))
}

/** `isOfAny`: of how many monitors it is is to be said. */
function Current({ window, isOfAny }: { window: MaintenanceRecord; isOfAny: boolean }): ReactNode {
  const { id, name, current, monitor_ids: ids, monitor_tags: tags } = window
  const reach = isOfAny && tags.length === 0 ? (ids?.length ?? null) : null
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
