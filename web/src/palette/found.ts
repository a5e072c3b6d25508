import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type IncidentRecord, overviewApi } from '../api/overview.ts'
import { contactsApi } from '../api/contacts.ts'
import type { SavedViewRecord } from '../api/saved-views.ts'
import { statusPagesApi } from '../api/status-pages.ts'
import { timeText } from '../parts/time.tsx'
import { incidentWords } from '../pages/incidents/incident-filter.ts'
import { kindTitle } from '../pages/monitor/kinds.ts'
import { overviewQuery } from '../pages/monitors/monitors-query.ts'
import type { MonitorRow } from '../pages/monitors/monitors-rows.ts'
import { useSavedViews, viewHref } from '../pages/monitors/saved-views.ts'
import { useWorkspace } from '../session/workspace.tsx'
import { type Entry, entryOf } from './find.ts'

/** The overview keeps them up to date; elsewhere they are read when the palette opens and what is there is older. */
const freshMs = 30_000

export type Found = {
  monitors: readonly MonitorRow[]
  incidents: readonly IncidentRecord[]
  entries: readonly Entry[]
  isReading: boolean
}

/** What the workspace has, as far as it has been read: nothing waits for it. */
export function useFound(): Found {
  const { workspace } = useWorkspace()
  const { id } = workspace
  const read = <T>(name: string, queryFn: () => Promise<T>) => ({
    queryKey: ['workspace', id, name],
    queryFn,
    staleTime: freshMs,
  })
  const { data: overview, isLoading } = useQuery({ ...overviewQuery(id), staleTime: freshMs })
  const { data: newest } = useQuery(read('palette incidents', () => overviewApi(id).pageIncidents('all', '')))
  const { data: pages } = useQuery(read('status-pages', () => statusPagesApi(id).list()))
  const { data: contacts } = useQuery(read('contacts', () => contactsApi(id).list()))
  const views = useSavedViews()
  const [monitors, running] = [overview?.rows ?? noMonitors, overview?.incidents ?? noIncidents]
  const incidents = useMemo(() => merged(running, newest?.data ?? noIncidents), [running, newest])
  const ofMonitors = useMemo(() => monitors.map(monitorEntry), [monitors])
  const others = useMemo(
    () => [
      ...incidents.map(incidentEntry),
      ...views.map(viewEntry),
      ...(pages ?? []).map(({ id: page, title, slug }) =>
        otherEntry({ href: `/status-pages/${page}`, title, detail: t`Status page · ${slug}`, icon: 'statusPages' }),
      ),
      ...(contacts ?? []).map(({ id: contact, name, destination }) =>
        otherEntry({
          href: `/contacts/${contact}`,
          title: name,
          detail: t`Contact · ${destination}`,
          icon: 'contacts',
        }),
      ),
    ],
    [incidents, views, pages, contacts],
  )
  const entries = useMemo(() => [...ofMonitors, ...others], [ofMonitors, others])
  return { monitors, incidents, entries, isReading: isLoading || overview?.isComplete === false }
}

const noMonitors: readonly MonitorRow[] = []
const noIncidents: readonly IncidentRecord[] = []

/** Those that run, as they are now, before those of the newest page that do not. */
function merged(running: readonly IncidentRecord[], newest: readonly IncidentRecord[]): IncidentRecord[] {
  const known = new Set(running.map(({ id }) => id))
  return [...running, ...newest.filter(({ id }) => !known.has(id))]
}

function monitorEntry({ id, name, url, kind, tags, state }: MonitorRow): Entry {
  const title = kindTitle(kind)
  return entryOf({
    key: `/monitors/${id}`,
    group: 'monitors',
    title: name,
    detail: url ?? title,
    icon: 'monitors',
    state,
    also: `${tags.join(' ')} ${title} ${id}`,
    goal: { href: `/monitors/${id}` },
  })
}

function incidentEntry({ id, title, cause, status, started_at: at, monitor_id: monitorId }: IncidentRecord): Entry {
  const state = i18n._(incidentWords[status])
  const began = timeText(at)
  return entryOf({
    key: `/incidents/${id}`,
    group: 'incidents',
    title,
    detail: t`${state} · ${began}`,
    icon: 'incidents',
    also: `${cause ?? ''} ${id} ${monitorId}`,
    goal: { href: `/incidents/${id}` },
  })
}

function viewEntry(view: SavedViewRecord): Entry {
  const href = viewHref(view)
  return entryOf({
    key: href,
    group: 'pages',
    title: view.name,
    detail: t`Saved view`,
    icon: 'monitors',
    also: t`overview monitors filter`,
    goal: { href },
  })
}

type Other = { href: string; title: string; detail: string; icon: Entry['icon'] }

function otherEntry({ href, ...shown }: Other): Entry {
  return entryOf({ key: href, group: 'others', ...shown, also: href, goal: { href } })
}
