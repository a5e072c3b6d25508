import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type CommentRecord, commentInputSchema, commentLimits, commentSchema } from '#core/incidents/comment.ts'
import { fail } from '#core/language/error.ts'
import {
  type Author,
  type StoredComment,
  deleteComment,
  findComment,
  insertComment,
  listComments,
  updateComment,
} from '#store/incidents/comments.ts'
import { type Caller, type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findIncidentTarget } from './incidents.ts'

// People and their programs talk here; the tools of a model have no room for it.
const common = { tag: 'Results and incidents', surface: 'programs', subject: 'incident' } as const
const ofIncident = { ...common, path: '/incidents/{id}/comments', find: findIncidentTarget } as const
const ofComment = { ...common, path: '/incidents/{id}/comments/{comment_id}', find: findOwn } as const
const one = z.strictObject({ data: commentSchema })
const body = { schema: commentInputSchema, isRequired: true, schemaName: 'IncidentCommentInput' } as const

const list = defineOperation({
  ...ofIncident,
  name: 'list_incident_comments',
  method: 'GET',
  scope: 'read',
  summary: 'List the comments on an incident, oldest first',
  description: 'Status pages do not show comments.',
  errors: [401, 404],
  success: { status: 200, description: 'Comments.', schema: z.strictObject({ data: z.array(commentSchema) }) },
  run: async ({ caller, services }, { target }) => {
    const comments = await listComments(services.database, target.id, commentLimits.comments)
    return { status: 200, body: { data: comments.map((comment) => toRecord(comment, caller)) } }
  },
})

const create = defineOperation({
  ...ofIncident,
  name: 'create_incident_comment',
  method: 'POST',
  scope: 'write',
  summary: 'Comment on an incident',
  description: `Markdown, for the members of the workspace. An incident has at most ${commentLimits.comments} comments.`,
  body,
  errors: [401, 403, 404, 422],
  success: { status: 201, description: 'The comment.', schema: one },
  run: async ({ caller, services, now }, { target, body: input }) => {
    const comment = { id: randomUUID(), author: authorOf(caller), body: input.body, createdAt: now, editedAt: null }
    await services.database.transaction(async (tx) => {
      if (!(await insertComment(tx, target.id, { comment, limit: commentLimits.comments })))
        throw fail('limit_reached', `An incident can have at most ${commentLimits.comments} comments.`)
    })
    return { status: 201, body: { data: toRecord(comment, caller) } }
  },
})

const update = defineOperation({
  ...ofComment,
  name: 'update_incident_comment',
  method: 'PATCH',
  scope: 'write',
  summary: 'Change your own comment',
  body,
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The comment as it is now.', schema: one },
  run: async ({ caller, services, now }, { target, body: input }) => {
    await services.database.transaction((tx) => updateComment(tx, { id: target.id, body: input.body, at: now }))
    return { status: 200, body: { data: toRecord({ ...target, body: input.body, editedAt: now }, caller) } }
  },
})

const remove = defineOperation({
  ...ofComment,
  name: 'delete_incident_comment',
  method: 'DELETE',
  scope: 'write',
  summary: 'Delete your own comment',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The comment was deleted.' },
  run: async ({ services }, { target }) => {
    await services.database.transaction((tx) => deleteComment(tx, target.id))
    return { status: 204, body: undefined }
  },
})

export const incidentCommentOperations = [list, create, update, remove]

/** `name` is for the audit log. */
async function findOwn(context: Context, path: Record<string, string>): Promise<StoredComment & { name: string }> {
  const incident = await findIncidentTarget(context, path)
  const { caller, services } = context
  const scope = { workspaceId: caller.workspaceId, incidentId: incident.id, id: path['comment_id'] ?? '' }
  const found = await findComment(services.database, scope)
  if (found === null) throw fail('not_found', 'There is no such comment on this incident.')
  if (!isOwn(found, caller)) throw fail('wrong_person', 'Only the author of a comment can change or delete it.')
  return { ...found, name: incident.title }
}

function authorOf({ actor, actorKind, actorId }: Caller): Author {
  return { kind: actorKind, id: actorId, name: actor }
}

function isOwn({ author }: StoredComment, { actorKind, actorId }: Caller): boolean {
  return author.kind === actorKind && author.id === actorId
}

function toRecord(comment: StoredComment, caller: Caller): CommentRecord {
  const { id, author, body: words, createdAt, editedAt } = comment
  return {
    id,
    author: author.name,
    body: words,
    created_at: createdAt.toISOString(),
    edited_at: editedAt?.toISOString() ?? null,
    is_own: isOwn(comment, caller),
  }
}
