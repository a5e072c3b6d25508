import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useMemo, useState } from 'react'
import type { IncidentRecord } from '../../api/overview.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { MaintenanceNotice } from '../../parts/maintenance.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useMonitors } from '../../session/use-monitors.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { MonitorGrid } from './monitors-grid.tsx'
import { RunningIncidents } from '../incidents/running-incidents.tsx'
import { MonitorsSummary, NoMonitors, NoneFound } from './monitors-states.tsx'
import { MonitorsToolbar } from './monitors-toolbar.tsx'
import { type Places, type Shown, type View, isNarrowed, show } from './monitors-view.ts'
import type { MonitorList } from './monitors-rows.ts'
import { useFirstView } from './saved-views.ts'
import { useMonitorList } from './use-monitor-list.ts'
import { Unfinished } from './unfinished-set-up.tsx'

const MonitorsBulk = lazy(async () => ({ default: (await import('./monitors-bulk.tsx')).MonitorsBulk }))
const MonitorWall = lazy(async () => ({ default: (await import('./monitors-wall.tsx')).MonitorWall }))
/** Before the first selection: until then nothing acts on several monitors, and its script is not needed. */
const untouched: ReadonlySet<string> = new Set()

/** All monitors of the workspace, as they are now. */
export function MonitorsPage(): ReactNode {
  const { list, freshness, readAgain } = useMonitorList()
  const { workspace } = useWorkspace()
  const mayWrite = workspace.role !== 'viewer'
  const [view, setView] = useView()
  useFirstView(view, setView)
  const places = usePlaces(view.group === 'location')
  const [selected, setSelected] = useState(untouched)
  const shown = useMemo(() => show(list, view, places), [list, view, places])
  const chosen = list.rows.filter(({ id }) => selected.has(id))
  if (list.rows.length === 0)
    return (
      <>
        <PageHead title={t`Monitors`} />
        <NoMonitors mayWrite={mayWrite} />
      </>
    )
  return (
    <>
      <PageHead
        title={t`Monitors`}
        lead={<MonitorsSummary list={list} freshness={freshness} />}
        {...(mayWrite
          ? {
              action: (
                <ButtonLink to="/monitors/new" look="primary">
                  <Trans>New monitor</Trans>
                </ButtonLink>
              ),
            }
          : {})}
      />
      <MaintenanceNotice />
      <Unfinished key={workspace.id} />
      <RunningIncidents incidents={incidentsIn(view, { list, shown })} mayWrite={mayWrite} onChange={readAgain} />
      <MonitorsToolbar list={list} shown={shown} view={view} onView={setView} />
      {selected !== untouched && (
        <Suspense>
          <MonitorsBulk chosen={chosen} onSelect={setSelected} onChange={readAgain} />
        </Suspense>
      )}
      <Lines
        list={list}
        shown={shown}
        view={view}
        onView={setView}
        selected={selected}
        onSelect={mayWrite ? setSelected : null}
      />
    </>
  )
}

type LinesProps = {
  list: MonitorList
  shown: Shown
  view: View
  onView: (view: View) => void
  selected: ReadonlySet<string>
  onSelect: ((selected: ReadonlySet<string>) => void) | null
}

function Lines({ list, shown, view, onView, ...selecting }: LinesProps): ReactNode {
  const { layout } = view
  const isNoneFound = shown.rows.length === 0
  // People take a wall, or that none was found, for what holds of all.
  if (!list.isComplete && (isNoneFound || layout === 'wall')) return <Waiting />
  if (isNoneFound) return <NoneFound onClear={() => onView(layout === undefined ? {} : { layout })} />
  if (layout === 'wall')
    return (
      <Awaited fallback={<Waiting />}>
        <MonitorWall lines={shown.lines} />
      </Awaited>
    )
  return <MonitorGrid lines={shown.lines} today={list.today} isDense={layout === 'dense'} {...selecting} />
}

/** All of them, or those of the monitors that are shown, where these are some of all. */
function incidentsIn(view: View, { list, shown }: { list: MonitorList; shown: Shown }): readonly IncidentRecord[] {
  if (!isNarrowed(view)) return list.incidents
  const ids = new Set(shown.rows.map(({ id }) => id))
  return list.incidents.filter(({ monitor_id: id }) => ids.has(id))
}

/** Names of locations by code, read where they are shown. */
function usePlaces(isShown: boolean): Places | undefined {
  const { id } = useWorkspace().workspace
  const monitors = useMonitors()
  const { data } = useQuery({
    queryKey: ['workspace', id, 'locations'],
    queryFn: () => monitors.listLocations(),
    enabled: isShown,
  })
  return useMemo(() => data && new Map(data.map(({ code, name }) => [code, name])), [data])
}

function useView(): [View, (view: View) => void] {
  const view = useSearch({ from: '/inside/shell/monitors' })
  const navigate = useNavigate()
  return [view, (next) => void navigate({ to: '/monitors', search: next, replace: true, resetScroll: false })]
}
