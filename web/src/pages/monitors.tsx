import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { overviewApi } from '../api/overview.ts'
import { useLive } from '../live.ts'
import { ButtonLink } from '../parts/button.tsx'
import { MaintenanceNotice } from '../parts/maintenance.tsx'
import { PageHead } from '../parts/page.tsx'
import { useWorkspace } from '../workspace.tsx'
import { MonitorsBulk } from './monitors-bulk.tsx'
import { MonitorGrid } from './monitors-grid.tsx'
import { RunningIncidents } from './monitors-incidents.tsx'
import { type MonitorList, listOf, withMessage } from './monitors-rows.ts'
import { type Freshness, MonitorsSummary, NoMonitors, NoneFound } from './monitors-states.tsx'
import { MonitorsToolbar } from './monitors-toolbar.tsx'
import { type View, show } from './monitors-view.ts'

/** All monitors of the workspace, as they are now. */
export function MonitorsPage(): ReactNode {
  const { list, freshness, readAgain } = useMonitorList()
  const { workspace } = useWorkspace()
  const mayWrite = workspace.role !== 'viewer'
  const [view, setView] = useView()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const shown = useMemo(() => show(list, view), [list, view])
  const chosen = list.rows.filter(({ id }) => selected.has(id))
  if (list.rows.length === 0)
    return (
      <>
        <PageHead title="Monitors" />
        <NoMonitors mayWrite={mayWrite} />
      </>
    )
  return (
    <>
      <PageHead
        title="Monitors"
        lead={<MonitorsSummary list={list} freshness={freshness} />}
        {...(mayWrite
          ? {
              action: (
                <ButtonLink to="/monitors/new" look="primary">
                  New monitor
                </ButtonLink>
              ),
            }
          : {})}
      />
      <MaintenanceNotice />
      <RunningIncidents incidents={list.incidents} mayWrite={mayWrite} onChange={readAgain} />
      <MonitorsToolbar list={list} shown={shown} view={view} onView={setView} />
      {chosen.length > 0 && <MonitorsBulk chosen={chosen} onSelect={setSelected} onChange={readAgain} />}
      {shown.rows.length === 0 ? (
        <NoneFound onClear={() => setView({})} />
      ) : (
        <MonitorGrid
          lines={shown.lines}
          today={list.today}
          selected={selected}
          onSelect={mayWrite ? setSelected : null}
        />
      )}
    </>
  )
}

/** While changes are told everything is read again now and then, for what no message says: uptime, days that end. */
const [liveReadMs, otherwiseReadMs] = [300_000, 15_000]
const shortestReadMs = 5000

type Listed = { list: MonitorList; freshness: Freshness; readAgain: () => Promise<void> }

function useMonitorList(): Listed {
  const { workspace } = useWorkspace()
  const client = useQueryClient()
  const queryKey = useMemo(() => ['workspace', workspace.id, 'overview'], [workspace.id])
  const [isLive, setLive] = useState(false)
  const { data: list, error } = useSuspenseQuery({
    queryKey,
    queryFn: async () => listOf(await overviewApi(workspace.id).read()),
    refetchInterval: isLive ? liveReadMs : otherwiseReadMs,
  })
  const readAgain = useCallback(() => client.invalidateQueries({ queryKey }), [client, queryKey])
  const readSoon = useRarely(readAgain)
  const state = useLive({
    onBegin: () => void readAgain(),
    onMessage: (message) => {
      const known = client.getQueryData<MonitorList>(queryKey)
      if (known === undefined) return
      const next = withMessage(known, message)
      client.setQueryData(queryKey, next.list)
      if (!next.isWhole) readSoon()
    },
  })
  if (isLive !== (state === 'live')) setLive(state === 'live')
  const freshness = error === null ? (isLive ? 'live' : 'asked') : 'old'
  return { list, freshness, readAgain }
}

/** At once, and then not before some seconds have passed; asked meanwhile, once they have. */
function useRarely(work: () => Promise<void>): () => void {
  const turn = useRef<{ lastMs: number; timer: number | null }>({ lastMs: -Infinity, timer: null })
  return () => {
    const own = turn.current
    if (own.timer !== null) return
    own.timer = window.setTimeout(
      () => {
        own.timer = null
        own.lastMs = performance.now()
        void work()
      },
      Math.max(0, own.lastMs + shortestReadMs - performance.now()),
    )
  }
}

function useView(): [View, (view: View) => void] {
  const view = useSearch({ from: '/inside/shell/monitors' })
  const navigate = useNavigate()
  return [view, (next) => void navigate({ to: '/monitors', search: next, replace: true, resetScroll: false })]
}
