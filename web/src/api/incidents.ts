import type { CommentRecord } from '#core/incidents/comment.ts'
import type { IncidentRecord } from '#core/incidents/incident.ts'
import type { MemberRecord } from '#core/people/access.ts'
import { api } from './console.ts'

export type { CommentRecord, IncidentRecord, MemberRecord }

export type IncidentInput = {
  monitor_id: string
  title: string
  cause: string | null
  /** Null: as of an outage of the monitor. */
  alert_channel_ids: string[] | null
}

/** What people do with one incident. */
export type IncidentApi = {
  report: (input: IncidentInput) => Promise<IncidentRecord>
  /** Of one that was made by hand. */
  resolve: (id: string) => Promise<IncidentRecord>
  listMembers: () => Promise<MemberRecord[]>
  /** Null for no member. */
  assign: (id: string, personId: string | null) => Promise<IncidentRecord>
  listComments: (id: string) => Promise<CommentRecord[]>
  addComment: (id: string, body: string) => Promise<CommentRecord>
  changeComment: (id: string, commentId: string, body: string) => Promise<CommentRecord>
  removeComment: (id: string, commentId: string) => Promise<void>
}

export function incidentApi(workspaceId: string): IncidentApi {
  const { list, post, put, patch, remove } = api(workspaceId)
  return {
    report: (input) => post('/incidents', input),
    resolve: (id) => post(`/incidents/${id}/resolve`, undefined),
    listMembers: () => list('/members'),
    assign: (id, personId) => put(`/incidents/${id}/assignee`, { person_id: personId }),
    listComments: (id) => list(`/incidents/${id}/comments`),
    addComment: (id, body) => post(`/incidents/${id}/comments`, { body }),
    changeComment: (id, commentId, body) => patch(`/incidents/${id}/comments/${commentId}`, { body }),
    removeComment: (id, commentId) => remove(`/incidents/${id}/comments/${commentId}`),
  }
}
