import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy } from 'react'
import type { MonitorRecord } from '../../api/monitors.ts'
import { useLive } from '../../session/live.ts'
import { MaintenanceNotice } from '../../parts/maintenance.tsx'
import { Tabs, tabClass } from '../../parts/tabs.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useChanged, useRead, useReadAhead } from '../../session/workspace.tsx'
import { NotFound } from '../../shell/trouble.tsx'
import { Head } from './head.tsx'
import { Overview } from './overview.tsx'
import { isScanned } from './kinds.ts'
import { PrivateTargetNotice } from './private-target-notice.tsx'
import {
  eventsKey,
  monitorKey,
  responseTimesKey,
  resultPagesKey,
  resultsKey,
  useMonitors,
} from '../../session/use-monitors.ts'

/** While changes are told, and while they are not. */
const readAgainMs = { live: 60_000, otherwise: 10_000 }

const load = () => import('./inner-tabs.tsx')
const Billing = lazy(async () => ({ default: (await import('./billing.tsx')).Billing }))
const InnerTab = lazy(async () => ({ default: (await load()).InnerTab }))

type Tab = 'overview' | 'results' | 'incidents' | 'software' | 'settings'

const tabs: readonly { value: Tab; label: MessageDescriptor; isFor?: (monitor: MonitorRecord) => boolean }[] = [
  { value: 'overview', label: msg`Overview` },
  { value: 'results', label: msg`Results` },
  { value: 'incidents', label: msg`Incidents` },
  { value: 'software', label: msg`Software`, isFor: ({ kind }) => isScanned(kind) },
  { value: 'settings', label: msg`Settings` },
]

/** Everything about one monitor. */
export function MonitorPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const { tab: wanted } = useSearch({ strict: false })
  const monitors = useMonitors()
  const everyMs = useFollowed(id)
  const isOverview = wanted === undefined || wanted === 'overview'
  useReadAhead('locations', { read: () => monitors.listLocations(), isNeeded: isOverview })
  const { data: detail } = useRead(monitorKey(id), { read: () => monitors.read(id), everyMs })
  if (detail === null) return <NotFound />
  const { data: monitor } = detail
  const offered = tabs.filter(({ isFor }) => isFor?.(monitor) ?? true)
  const tab = offered.find(({ value }) => value === wanted)?.value ?? 'overview'
  return (
    <>
      <Head monitor={monitor} />
      <MaintenanceNotice monitor={monitor} />
      {monitor.billing_state === 'overdue' && (
        <Suspense>
          <Billing monitor={monitor} />
        </Suspense>
      )}
      <PrivateTargetNotice detail={detail} />
      <Tabs label={t`Of this monitor`} present={tab}>
        {offered.map(({ value, label }) => (
          <Link
            key={value}
            data-tab={value}
            to="/monitors/$id"
            params={{ id }}
            search={value === 'overview' ? {} : { tab: value }}
            activeOptions={{ exact: true }}
            onPointerEnter={() => void load()}
            onFocus={() => void load()}
            className={tabClass}
          >
            {i18n._(label)}
          </Link>
        ))}
      </Tabs>
      <Awaited fallback={<Waiting />}>
        {tab === 'overview' ? (
          <Overview detail={detail} everyMs={everyMs} />
        ) : (
          <InnerTab tab={tab} detail={detail} everyMs={everyMs} />
        )}
      </Awaited>
    </>
  )
}

/** A chart of a week or a month looks the same after one more result: it is read again by its own clock. */
const quickHours = ['1', '24'] as const

/** Reads it again when something of it changed. Returns how often it is to be read anyway. */
function useFollowed(id: string): number {
  const changed = useChanged()
  const again = (): void =>
    void changed(
      monitorKey(id),
      resultsKey(id),
      resultPagesKey(id),
      eventsKey(id),
      ...quickHours.map((hours) => responseTimesKey(id, hours)),
    )
  const state = useLive({
    onBegin: again,
    onMessage: ({ monitors, is_partial: isPartial }) => {
      if (isPartial || monitors.some(([each]) => each === id)) again()
    },
  })
  return state === 'live' ? readAgainMs.live : readAgainMs.otherwise
}
