import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MonitorDetail, MonitorRecord } from '../../api/monitors.ts'
import { useLive } from '../../live.ts'
import { MaintenanceNotice } from '../../parts/maintenance.tsx'
import { useChanged, useRead } from '../../workspace.tsx'
import { NotFound } from '../trouble.tsx'
import { Billing } from './billing.tsx'
import { Head } from './head.tsx'
import { Incidents } from './incidents.tsx'
import { Overview } from './overview.tsx'
import { Results } from './results.tsx'
import { MonitorSettings } from './settings.tsx'
import { SoftwareTab } from './software.tsx'
import { monitorKey, resultsKey, useMonitors } from './use-monitors.ts'

/** While changes are told, and while they are not. */
const readAgainMs = { live: 60_000, otherwise: 10_000 }

type Tab = 'overview' | 'results' | 'incidents' | 'software' | 'settings'

const tabs: readonly { value: Tab; label: string; isFor?: (monitor: MonitorRecord) => boolean }[] = [
  { value: 'overview', label: 'Overview' },
  { value: 'results', label: 'Results' },
  { value: 'incidents', label: 'Incidents' },
  { value: 'software', label: 'Software', isFor: ({ kind }) => ['http', 'api', 'repository'].includes(kind) },
  { value: 'settings', label: 'Settings' },
]

/** Everything about one monitor. */
export function MonitorPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const { tab: wanted } = useSearch({ strict: false })
  const monitors = useMonitors()
  const everyMs = useFollowed(id)
  const { data: detail } = useRead(monitorKey(id), { read: () => monitors.read(id), everyMs })
  if (detail === null) return <NotFound />
  const { data: monitor } = detail
  const offered = tabs.filter(({ isFor }) => isFor?.(monitor) ?? true)
  const tab = offered.find(({ value }) => value === wanted)?.value ?? 'overview'
  return (
    <>
      <Head monitor={monitor} />
      <MaintenanceNotice monitorId={id} />
      <Billing monitor={monitor} />
      <nav aria-label="Of this monitor" className="mb-6 flex flex-wrap gap-x-1 border-b border-line">
        {offered.map(({ value, label }) => (
          <Link
            key={value}
            to="/monitors/$id"
            params={{ id }}
            search={value === 'overview' ? {} : { tab: value }}
            activeOptions={{ exact: true }}
            className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm text-muted hover:text-text aria-[current=page]:border-accent-text aria-[current=page]:font-medium aria-[current=page]:text-text"
          >
            {label}
          </Link>
        ))}
      </nav>
      <Shown tab={tab} detail={detail} everyMs={everyMs} />
    </>
  )
}

/** Reads it again when something of it changed. Returns how often it is to be read anyway. */
function useFollowed(id: string): number {
  const changed = useChanged()
  const again = (): void => void changed(monitorKey(id), resultsKey(id))
  const state = useLive({
    onBegin: again,
    onMessage: ({ monitors, is_partial: isPartial }) => {
      if (isPartial || monitors.some(([each]) => each === id)) again()
    },
  })
  return state === 'live' ? readAgainMs.live : readAgainMs.otherwise
}

type ShownProps = { tab: Tab; detail: MonitorDetail; everyMs: number }

function Shown({ tab, detail, everyMs }: ShownProps): ReactNode {
  switch (tab) {
    case 'overview':
      return <Overview detail={detail} everyMs={everyMs} />
    case 'results':
      return <Results monitor={detail.data} everyMs={everyMs} />
    case 'incidents':
      return <Incidents detail={detail} />
    case 'software':
      return <SoftwareTab monitor={detail.data} />
    case 'settings':
      return <MonitorSettings monitor={detail.data} />
  }
}
