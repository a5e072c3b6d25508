import type { AgentRecord, ClaimViewRecord } from '#operations/people/agents.ts'
import type { AccountRecord } from '#core/account.ts'
import type { AuditEntryRecord } from '#core/audit.ts'
import type {
  ApiTokenRecord,
  InstallationRecord,
  InvitationRecord,
  MemberRecord,
  SessionRecord,
  WorkspaceRecord,
} from '#core/people/access.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import type { MemberRole } from '#core/people/person.ts'
import { ask, askText } from './ask.ts'

export type { AgentRecord, ApiTokenRecord, AuditEntryRecord, ClaimViewRecord, InvitationRecord, MemberRecord }
export type { AccountRecord, InstallationRecord, MonitorRecord, MemberRole, SessionRecord, WorkspaceRecord }

/** The settings that the console needs before a person signs in. */
export type Settings = {
  sign_up: 'open' | 'invited'
  public_url: string
  /** Without a mail server, mail is kept where whoever runs the installation reads it. */
  sends_mail: boolean
  payments: 'off' | 'sandbox' | 'live'
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[]
  /** Nobody has opened the set-up link of the first start yet. */
  awaits_owner: boolean
}

type AuditPage = { data: AuditEntryRecord[]; next_cursor: string | null }
type ApiTokenInput = { name: string; scope: 'read' | 'write'; expires_at: string | null }

export const readSettings = (): Promise<Settings> => ask('/console/settings.json')

/** Requests of a person for herself, in no workspace. */
const own = api('mine')

export const listWorkspaces = (): Promise<WorkspaceRecord[]> => own.list('/workspaces')
export const createWorkspace = (name: string): Promise<WorkspaceRecord> => own.post('/workspaces', { name })
export const listSessions = (): Promise<SessionRecord[]> => own.list('/sessions')
export const revokeSession = (id: string): Promise<void> => own.remove(`/sessions/${id}`)
export const acceptInvitation = (token: string): Promise<WorkspaceRecord> => own.post('/invitations/accept', { token })
export const readClaim = (attempt: string): Promise<ClaimViewRecord> =>
  own.get(`/claim-attempt?claim_attempt_token=${encodeURIComponent(attempt)}`)

export type WorkspaceApi = ReturnType<typeof workspaceApi>

/** Requests in one workspace. */
export function workspaceApi(workspaceId: string) {
  const { get, list, post, patch, remove, page } = api(workspaceId)
  return {
    listMonitors: () => list<MonitorRecord>('/monitors'),
    renameWorkspace: (name: string) => patch<WorkspaceRecord>('/workspace', { name }),
    deleteWorkspace: () => remove('/workspace'),
    /** For owners. */
    readInstallation: () => get<InstallationRecord>('/installation'),
    listMembers: () => list<MemberRecord>('/members'),
    changeRole: (id: string, role: MemberRole) => patch<MemberRecord>(`/members/${id}`, { role }),
    removeMember: (id: string) => remove(`/members/${id}`),
    listInvitations: () => list<InvitationRecord>('/invitations'),
    /** `link` for owners of an installation that sends no mail. */
    invite: (email: string, role: MemberRole) =>
      page<{ data: InvitationRecord; link?: string }>('/invitations', { email, role }),
    revokeInvitation: (id: string) => remove(`/invitations/${id}`),
    listTokens: () => list<ApiTokenRecord>('/api-tokens'),
    createToken: (input: ApiTokenInput) => page<{ data: ApiTokenRecord; token: string }>('/api-tokens', input),
    revokeToken: (id: string) => remove(`/api-tokens/${id}`),
    listAgents: () => list<AgentRecord>('/agents'),
    changeBudget: (id: string, cents: number | null) => patch<AgentRecord>(`/agents/${id}`, { budget_cents: cents }),
    disconnectAgent: (id: string) => remove(`/agents/${id}`),
    completeClaim: (attempt: string, code: string) =>
      post<{ name: string }>('/claim-attempt/complete', { claim_attempt_token: attempt, user_code: code }),
    /** Which ones is said by the parameters of the API. Without a cursor the newest; from a `next_cursor` on, older ones. */
    listAuditEntries: (filter: URLSearchParams, { cursor, limit = 50 }: { cursor: string | null; limit?: number }) =>
      page<AuditPage>(`/audit-entries?${auditQuery(filter, cursor, limit)}`),
    readAccount: () => get<AccountRecord>('/account'),
  }
}

function auditQuery(filter: URLSearchParams, cursor: string | null, limit: number): string {
  const parameters = new URLSearchParams(filter)
  parameters.set('limit', String(limit))
  if (cursor !== null) parameters.set('cursor', cursor)
  return parameters.toString()
}

const uploadDeadlineMs = 120_000

/** The header names the workspace, and shows that the page asking is ours: others' would take a preflight. */
export function api(workspace: string) {
  const headers = { 'X-Perigee-Workspace': workspace }
  const send = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    ask(`/api/v1${path}`, { method, body, headers })
  return {
    get: <T>(path: string): Promise<T> => dataOf(send('GET', path)),
    list: <T>(path: string): Promise<T[]> => dataOf(send('GET', path)),
    post: <T>(path: string, body: unknown): Promise<T> => dataOf(send('POST', path, body)),
    /** A file as it is. It may be large, and takes a while to read. */
    upload: <T>(path: string, file: Blob): Promise<T> =>
      dataOf(ask(`/api/v1${path}`, { method: 'POST', file, headers, deadlineMs: uploadDeadlineMs })),
    put: <T>(path: string, body: unknown): Promise<T> => dataOf(send('PUT', path, body)),
    patch: <T>(path: string, body: unknown): Promise<T> => dataOf(send('PATCH', path, body)),
    remove: (path: string): Promise<void> => send('DELETE', path),
    /** An answer that is no JSON. */
    text: (path: string, accept: string): Promise<string> =>
      askText(`/api/v1${path}`, { headers: { ...headers, Accept: accept } }),
    /** A request that costs something, with the credential that pays for it once there is one. */
    paid: <T>(path: string, { credential, ...request }: PaidAsk): Promise<T> =>
      dataOf(ask(`/api/v1${path}`, { ...request, method: 'POST', headers: { ...headers, ...payerOf(credential) } })),
    /** The whole answer. */
    page: <T>(path: string, body?: unknown): Promise<T> => send(body === undefined ? 'GET' : 'POST', path, body),
  }
}

type PaidAsk = { body: unknown; credential: string | null; deadlineMs: number }

function payerOf(credential: string | null): Record<string, string> {
  return credential === null ? {} : { Authorization: `Payment ${credential}` }
}

async function dataOf<T>(answer: Promise<{ data: T }>): Promise<T> {
  return (await answer).data
}
