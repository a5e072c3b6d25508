import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MonitorRecord } from '../api/console.ts'
import { Ago } from '../parts/time.tsx'
import { PageHead, linkClass } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { useRead, useWorkspace } from '../workspace.tsx'

const readAgainMs = 10_000

export function MonitorsPage(): ReactNode {
  const { data: monitors } = useRead('monitors', { read: (api) => api.listMonitors(), everyMs: readAgainMs })
  return (
    <>
      <PageHead title="Monitors" {...(monitors.length === 0 ? {} : { lead: summaryOf(monitors) })} />
      {monitors.length === 0 ? <NoMonitors /> : <MonitorTable monitors={monitors} />}
    </>
  )
}

function summaryOf(monitors: readonly MonitorRecord[]): string {
  const watched = monitors.filter(({ status }) => status === 'enabled')
  const down = watched.filter(({ current_status: state }) => state === 'down').length
  const all = `${monitors.length} monitor${monitors.length === 1 ? '' : 's'}`
  if (down > 0) return `${down} of ${all} down.`
  return watched.every(({ current_status: state }) => state === 'up') ? `${all}, all up.` : `${all}, none down.`
}

function MonitorTable({ monitors }: { monitors: readonly MonitorRecord[] }): ReactNode {
  const head = 'px-5 py-2.5 text-left text-xs font-medium text-muted'
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <table className="w-full table-fixed text-sm">
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className={`${head} w-36`}>
              State
            </th>
            <th scope="col" className={head}>
              Monitor
            </th>
            <th scope="col" className={`${head} w-40 max-sm:hidden`}>
              Last check
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {monitors.map((monitor) => (
            <tr key={monitor.id}>
              <td className="px-5 py-3">
                <Status of={monitor.status === 'paused' ? 'paused' : monitor.current_status} />
              </td>
              <td className="px-5 py-3">
                <div className="truncate font-medium">{monitor.name}</div>
                <div className="truncate text-muted">{[monitor.kind, monitor.url].filter(Boolean).join(' · ')}</div>
              </td>
              <td className="px-5 py-3 text-muted max-sm:hidden">
                {monitor.last_checked_at === null ? 'Not yet' : <Ago at={monitor.last_checked_at} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NoMonitors(): ReactNode {
  const { isOwner } = useWorkspace()
  return (
    <div className="rounded-xl border border-dashed border-edge/50 px-6 py-12 text-center">
      <h2 className="font-semibold">Nothing is watched yet</h2>
      <p className="mx-auto mt-1 max-w-md text-muted">
        Programs and agents create monitors through the API.{' '}
        {isOwner && (
          <>
            They need a token: make one at{' '}
            <Link to="/settings/tokens" className={linkClass}>
              API tokens
            </Link>
            .
          </>
        )}
      </p>
    </div>
  )
}
