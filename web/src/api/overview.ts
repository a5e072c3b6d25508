import type { IncidentEvidence } from '#core/incidents/evidence.ts'
import type { MonitorView, MonitorViews } from '#core/incidents/view.ts'
import type { IncidentRecord, IncidentStory } from '#core/incidents/incident.ts'
import type {
  LiveCells,
  LiveColumns,
  LiveMessage,
  LiveRow,
  Overview,
  OverviewCells,
  OverviewColumns,
  OverviewRow,
  ShownState,
} from '#core/overview.ts'
import type { ListedField } from '#core/monitors/monitor-fields.ts'
import type { ManyChange } from '#core/monitors/monitor-change.ts'
import type { MonitorAction } from '#operations/monitors/monitor-actions.ts'
import type { MonitorsOutcome } from '#operations/monitors/monitors-bulk.ts'
import { api } from './console.ts'

export type { MonitorAction, MonitorsOutcome, MonitorView, MonitorViews }
export type { IncidentEvidence, IncidentRecord, IncidentStory, LiveMessage, Overview, ShownState }
export type { ListedField, LiveCells, LiveColumns, LiveRow, OverviewCells, OverviewColumns, OverviewRow }

export type OverviewPage = Overview & { next_cursor: string | null }
export type IncidentPage = { data: IncidentRecord[]; next_cursor: string | null }
export type IncidentFilter = IncidentRecord['status'] | 'all'

/** What a form says of many monitors at once. */
export type ManyContent = Partial<Record<keyof ManyChange, unknown>>

/** Requests about all monitors of a workspace, and its incidents. */
export type OverviewApi = {
  /** From null on, the oldest monitors; from a `next_cursor` on, those made later. */
  readPage: (cursor: string | null) => Promise<OverviewPage>
  /** From "" on, the newest; from a `next_cursor` on, what is older. */
  pageIncidents: (status: IncidentFilter, cursor: string) => Promise<IncidentPage>
  readStory: (id: string) => Promise<IncidentStory>
  readEvidence: (id: string) => Promise<IncidentEvidence>
  /** What locations saw when they disagreed last, or when an incident began. */
  readViews: (monitorId: string, incidentId: string | null) => Promise<MonitorViews>
  acknowledge: (id: string) => Promise<IncidentRecord>
  /** At most 1,000 at a time. */
  act: (action: MonitorAction, ids: readonly string[]) => Promise<MonitorsOutcome>
  /** The same with one change for all of them; the service refuses what is wrong in it. */
  changeAll: (changes: ManyContent, ids: readonly string[]) => Promise<MonitorsOutcome>
}

/** A service of an earlier release, as during an update, tells neither. */
type EarlierEvidence = Omit<IncidentEvidence, Later> & Partial<Pick<IncidentEvidence, Later>>
type Later = 'routes' | 'disagreement'

const pageSize = 2000

export function overviewApi(workspaceId: string): OverviewApi {
  const { get, post, page } = api(workspaceId)
  return {
    readPage: (cursor) => page(`/overview?limit=${pageSize}${cursor === null ? '' : `&cursor=${cursor}`}`),
    pageIncidents: (status, cursor) =>
      page(`/incident-pages?${new URLSearchParams(asked({ status, cursor })).toString()}`),
    readStory: (id) => get(`/incidents/${id}/story`),
    readEvidence: async (id) => {
      const evidence = await get<EarlierEvidence>(`/incidents/${id}/evidence`)
      return { ...evidence, routes: evidence.routes ?? [], disagreement: evidence.disagreement ?? null }
    },
    readViews: (id, incidentId) =>
      get(`/monitors/${id}/views${incidentId === null ? '' : `?incident_id=${incidentId}`}`),
    acknowledge: (id) => post(`/incidents/${id}/acknowledge`, undefined),
    act: (action, ids) => post('/monitors/bulk', { action, monitor_ids: ids }),
    changeAll: (changes, ids) => post('/monitors/bulk', { action: 'update', changes, monitor_ids: ids }),
  }
}

/** The address of the event stream that tells changes in a workspace, from a horizon on or from now on. */
export function livePath(workspaceId: string, since: string | null): string {
  return `/console/live?workspace=${workspaceId}${since === null ? '' : `&since=${since}`}`
}

function asked({ status, cursor }: { status: IncidentFilter; cursor: string }): Record<string, string> {
  return { ...(status === 'all' ? {} : { status }), ...(cursor === '' ? {} : { cursor }) }
}
