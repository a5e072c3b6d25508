import { t } from '@lingui/core/macro'
import type { ContactRecord } from '#core/contacts/contact-record.ts'
import type { LocationRecord } from '#core/account.ts'
import type { MonitorEvent } from '#core/incidents/episode.ts'
import type { IncidentRecord } from '#core/incidents/incident.ts'
import type { MonitorDetail } from '#core/monitors/monitor-detail.ts'
import type { KindName } from '#core/monitors/kind-traits.ts'
import type { RhythmProposal } from '#core/monitors/rhythm-proposal.ts'
import type { ParentProposal } from '#core/monitors/parent-proposals.ts'
import type { QuoteRecord } from '#core/money/payment-required.ts'
import type { HoursOfResponse, ResponseHours, ResponseTimes } from '#core/results/response-times.ts'
import type { ResultRecord } from '#core/results/result.ts'
import type { TrialRecord } from '#core/monitors/trial.ts'
import type { Exposure } from '#core/software/exposure.ts'
import type { Finding, Software, SoftwareImport, Vulnerabilities } from '#core/software/vulnerability.ts'
import type { Schema } from './schema.ts'
import { ApiError, type Ask, ask } from './ask.ts'
import { type MonitorRecord, api } from './console.ts'

export type {
  ContactRecord,
  Exposure,
  Finding,
  IncidentRecord,
  KindName,
  LocationRecord,
  MonitorDetail,
  MonitorEvent,
  MonitorRecord,
  ParentProposal,
}
export type { QuoteRecord, ResultRecord, Software, SoftwareImport, TrialRecord, Vulnerabilities }
export type { HoursOfResponse, ResponseHours, ResponseTimes }

/** Forms of monitors are made from these schemas, by which the API reads what the forms send. */
export type MonitorForms = {
  input: Schema
  kinds: Readonly<Record<KindName, { options: Schema; isPassive: boolean; isSingle: boolean }>>
}

export type Payload = Readonly<Record<string, unknown>>

export type ImportInput = { content: string; filename?: string; name?: string }

export const readMonitorForms = (): Promise<MonitorForms> => ask('/console/monitor-forms.json')

export type ResultsAsked = {
  limit: number
  status?: ResultRecord['status']
  location?: string
  since?: string
  until?: string
}
export type ResultsPage = { data: ResultRecord[]; next_cursor: string | null }

/** Requests about one monitor, or about a new one (`id` null), in one workspace. */
export type MonitorApi = {
  /** Null where the workspace has no such monitor. */
  read: (id: string) => Promise<MonitorDetail | null>
  /** The newest 500. */
  listResults: (id: string) => Promise<ResultRecord[]>
  /** From "" on, the newest of those asked for; from a `next_cursor` on, what is older. */
  pageResults: (id: string, asked: ResultsAsked, cursor?: string) => Promise<ResultsPage>
  /** The newest 500. */
  listEvents: (id: string) => Promise<MonitorEvent[]>
  /** What it may depend on, with the evidence. */
  listParentProposals: (id: string) => Promise<ParentProposal[]>
  /** When its calls are expected, as those that came say; null where they have no rhythm. */
  readRhythmProposal: (id: string, timeZone: string) => Promise<RhythmProposal | null>
  /** Of so many hours until now, or between two times. */
  readResponseTimes: (id: string, asked: ResponseHours | { since: string; until: string }) => Promise<ResponseTimes>
  /** Each hour of the last four weeks. */
  readResponseHours: (id: string) => Promise<HoursOfResponse>
  listLocations: () => Promise<LocationRecord[]>
  listContacts: () => Promise<ContactRecord[]>
  /** `key` makes asking again harmless: there is one monitor, however often it comes (Idempotency-Key). */
  create: (input: Payload, key?: string) => Promise<MonitorRecord>
  change: (id: string, input: Payload) => Promise<MonitorRecord>
  quote: (id: string | null, input: Payload) => Promise<QuoteRecord>
  /** One check of what a form says. */
  tryOnce: (id: string | null, asked: Asked) => Promise<TrialRecord>
  /** One check of a monitor as it is. */
  checkNow: (id: string, location: string) => Promise<TrialRecord>
  pause: (id: string) => Promise<MonitorRecord>
  resume: (id: string) => Promise<MonitorRecord>
  remove: (id: string) => Promise<void>
  readCallAddress: (id: string) => Promise<string>
  replaceCallAddress: (id: string) => Promise<unknown>
  readFindings: (id: string) => Promise<Vulnerabilities>
  scan: (id: string) => Promise<unknown>
  /** The newest ones. */
  listExposures: (id: string) => Promise<Exposure[]>
  /** Takes up to a minute. */
  verifyExposure: (id: string) => Promise<unknown>
  /** `version` "" stands for the one that is known to fix it. */
  markFixed: (id: string, finding: string, version: string) => Promise<unknown>
  addSoftware: (id: string, input: { name: string; version: string | null }) => Promise<unknown>
  ignoreSoftware: (id: string, entry: string, isIgnored: boolean) => Promise<unknown>
  removeSoftware: (id: string, entry: string) => Promise<void>
  importSoftware: (id: string, input: ImportInput) => Promise<SoftwareImport>
}

/** The slowest checks take two minutes. */
const trialDeadlineMs = 150_000

export function monitorApi(workspaceId: string): MonitorApi {
  const { get, list, post, patch, remove, page } = api(workspaceId)
  const send = <T>(method: string, path: string, { headers = {}, ...request }: Omit<Ask, 'method'> = {}): Promise<T> =>
    ask(`/api/v1${path}`, { method, headers: { 'X-Perigee-Workspace': workspaceId, ...headers }, ...request })
  const tryAt = async (path: string, { input, location }: Partial<Asked>): Promise<TrialRecord> => {
    const at = location === undefined ? '' : `?location=${encodeURIComponent(location)}`
    return (await send<{ data: TrialRecord }>('POST', path + at, { body: input, deadlineMs: trialDeadlineMs })).data
  }
  return {
    read: (id) => page<MonitorDetail>(`/monitors/${id}`).catch(nullForMissing),
    listResults: (id) => list(`/monitors/${id}/results?limit=500`),
    pageResults: (id, asked, cursor = '') => page(`/monitors/${id}/result-pages?${queryOf({ ...asked, cursor })}`),
    listEvents: (id) => list(`/monitors/${id}/events?limit=500`),
    listParentProposals: (id) => list(`/monitors/${id}/parent-proposals`),
    readRhythmProposal: (id, timeZone) =>
      get(`/monitors/${id}/rhythm-proposal?time_zone=${encodeURIComponent(timeZone)}`),
    readResponseTimes: (id, asked) => {
      const query = new URLSearchParams(typeof asked === 'string' ? { hours: asked } : asked)
      return page(`/monitors/${id}/response-times?${query.toString()}`)
    },
    readResponseHours: (id) => page(`/monitors/${id}/response-hours`),
    listLocations: () => list('/locations'),
    listContacts: () => list('/alert-channels'),
    create: async (input, key) => {
      const headers = key === undefined ? {} : { 'Idempotency-Key': key }
      const made = send<{ data: MonitorRecord }>('POST', '/monitors', { body: input, headers })
      return (await made.catch(sayCredit)).data
    },
    change: (id, input) => patch<MonitorRecord>(`/monitors/${id}`, input).catch(sayCredit),
    quote: (id, input) => post(pathOf(id, 'quote'), input),
    tryOnce: (id, asked) => tryAt(pathOf(id, 'try'), asked),
    checkNow: (id, location) => tryAt(pathOf(id, 'try'), { location }),
    pause: (id) => post(`/monitors/${id}/pause`, undefined),
    resume: (id) => post(`/monitors/${id}/resume`, undefined),
    remove: (id) => remove(`/monitors/${id}`),
    readCallAddress: async (id) => (await get<{ heartbeat_url: string }>(addressOf(id))).heartbeat_url,
    replaceCallAddress: (id) => post(addressOf(id), undefined),
    readFindings: (id) => page(`/monitors/${id}/vulnerabilities`),
    scan: (id) => send('POST', `/monitors/${id}/vulnerabilities/scan`),
    listExposures: (id) => list(`/exposures?monitor_id=${id}&limit=20`),
    verifyExposure: (id) => send('POST', `/exposures/${id}/verify`, { deadlineMs: trialDeadlineMs }),
    markFixed: (id, finding, version) =>
      page(`/monitors/${id}/vulnerabilities/${finding}/fixed`, version === '' ? {} : { version }),
    addSoftware: (id, input) => page(softwareOf(id), input),
    ignoreSoftware: (id, entry, ignored) => send('PATCH', `${softwareOf(id)}/${entry}`, { body: { ignored } }),
    removeSoftware: (id, entry) => remove(`${softwareOf(id)}/${entry}`),
    importSoftware: async (id, input) =>
      (await page<{ import: SoftwareImport }>(`${softwareOf(id)}/import`, input)).import,
  }
}

/** Without what is empty. */
function queryOf(parts: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}

function softwareOf(id: string): string {
  return `/monitors/${id}/software`
}

/** Without a location it is the first of the monitor. */
type Asked = { input: Payload; location?: string }

function pathOf(id: string | null, verb: 'quote' | 'try'): string {
  return id === null ? `/monitors/${verb}` : `/monitors/${id}/${verb}`
}

function addressOf(id: string): string {
  return `/monitors/${id}/call-address`
}

function nullForMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

/** A 402 speaks to payers; the console pays from credit only, so it says that credit is short. */
function sayCredit(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 402) throw error
  const { status, code } = error
  throw new ApiError({ status, code, message: t`Credit does not cover this. Top it up first.` })
}
