import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Fields, fail, invalidFields } from '#core/language/error.ts'
import {
  type PostChange,
  announcementInputSchema,
  postChangeSchema,
  postInputSchema,
  postSchema,
  statusLimits,
} from '#core/status-pages/status-page.ts'
import { findIncident } from '#store/incidents/incidents.ts'
import { tellPost } from '#store/status-pages/page-events.ts'
import {
  type Post,
  type PostSubject,
  deletePost,
  findPost,
  insertPost,
  listPosts,
  toPostRecord,
  updatePost,
} from '#store/status-pages/posts.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findTarget as findPage } from './status-pages.ts'

const inConsole = { tag: 'Console', surface: 'console', subject: 'status_page' } as const
const ofIncident = {
  ...inConsole,
  path: '/incidents/{id}/posts',
  find: findIncidentTarget,
  subject: 'incident',
} as const
const ofPage = { ...inConsole, path: '/status-pages/{id}/announcements', find: findPage } as const
const posts = z.strictObject({ data: z.array(postSchema) })
const post = z.strictObject({ data: postSchema })

const listOfIncident = defineOperation({
  ...ofIncident,
  name: 'list_incident_posts',
  method: 'GET',
  scope: 'read',
  summary: 'List the status page posts about an incident, newest first',
  errors: [401, 404],
  success: { status: 200, description: 'Posts.', schema: posts },
  run: (context, { target }) => list(context, { incidentId: target.id }),
})

const createOfIncident = defineOperation({
  ...ofIncident,
  name: 'create_incident_post',
  method: 'POST',
  scope: 'write',
  summary: 'Post about an incident on every status page that shows its monitor',
  description: `An incident can have at most ${statusLimits.posts} posts. Checks decide its state, whatever posts say.`,
  body: { schema: postInputSchema, isRequired: true, schemaName: 'IncidentPostInput' },
  errors: [401, 403, 404, 422],
  success: { status: 201, description: 'The post.', schema: post },
  run: (context, { target, body }) => {
    const { state, notify } = body
    const draft = {
      ...noPost,
      incidentId: target.id,
      state,
      body: body.body,
      postedAt: timeOr(body.posted_at, context.now),
    }
    return create(context, { draft, notify, earliest: new Date(target.started_at) })
  },
})

const listOfPage = defineOperation({
  ...ofPage,
  name: 'list_announcements',
  method: 'GET',
  scope: 'read',
  summary: 'List the announcements of a status page, newest first',
  errors: [401, 404],
  success: { status: 200, description: 'Announcements.', schema: posts },
  run: (context, { target }) => list(context, { pageId: target.id }),
})

const createOfPage = defineOperation({
  ...ofPage,
  name: 'create_announcement',
  method: 'POST',
  scope: 'write',
  summary: 'Post an announcement on a status page',
  description: `A page has at most ${statusLimits.posts} announcements.`,
  body: { schema: announcementInputSchema, isRequired: true, schemaName: 'AnnouncementInput' },
  errors: [401, 403, 404, 422],
  success: { status: 201, description: 'The announcement.', schema: post },
  run: (context, { target, body }) => {
    const { title, notify } = body
    const times = { postedAt: timeOr(body.posted_at, context.now), endsAt: timeOr(body.ends_at, null) }
    return create(context, {
      draft: { ...noPost, pageId: target.id, title, body: body.body, ...times },
      notify,
      earliest: null,
    })
  },
})

const update = defineOperation({
  ...inConsole,
  name: 'update_status_post',
  method: 'PATCH',
  path: '/status-posts/{id}',
  scope: 'write',
  summary: 'Change a post of an incident, or an announcement',
  description: 'Omitted fields stay as they are. Subscribers get no new message.',
  body: { schema: postChangeSchema, isRequired: true, schemaName: 'StatusPostChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The post as it is now.', schema: post },
  find: findTarget,
  run: async (context, { target, body }) => {
    const changed = change(target, body, context.now)
    assertTimes(changed, { now: context.now, earliest: await beginningOf(context, target) })
    await context.services.database.transaction((tx) => updatePost(tx, changed))
    return { status: 200, body: { data: toPostRecord(changed) } }
  },
})

const remove = defineOperation({
  ...inConsole,
  name: 'delete_status_post',
  method: 'DELETE',
  path: '/status-posts/{id}',
  scope: 'write',
  summary: 'Delete a post of an incident, or an announcement',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The post was deleted.' },
  find: findTarget,
  run: async ({ services }, { target }) => {
    await services.database.transaction((tx) => deletePost(tx, target.id))
    return { status: 204, body: undefined }
  },
})

export const statusPostOperations = [listOfIncident, createOfIncident, listOfPage, createOfPage, update, remove]

type Draft = Omit<Post, 'id' | 'workspaceId' | 'author' | 'editedAt'>

const noPost = { incidentId: null, pageId: null, state: null, title: null, endsAt: null } as const

async function findIncidentTarget({ caller, services }: Context, { id: incidentId = '' }: Record<string, string>) {
  const incident = await findIncident(services.database, { workspaceId: caller.workspaceId, incidentId })
  if (incident === undefined) throw fail('not_found', 'There is no such incident in this workspace.')
  return incident
}

type Target = Post & { name: string }

/** `name` is for the audit log. */
async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<Target> {
  const found = await findPost(services.database, { workspaceId: caller.workspaceId, id })
  if (found === null) throw fail('not_found', 'There is no such post in this workspace.')
  return { ...found, name: found.title ?? found.state ?? '' }
}

async function list({ caller, services }: Context, subject: PostSubject) {
  const { workspaceId } = caller
  const found = await listPosts(services.database, { workspaceId, subject, limit: statusLimits.posts })
  return { status: 200, body: { data: found.map(toPostRecord) } }
}

async function create(
  { caller, services, now }: Context,
  { draft, notify, earliest }: { draft: Draft; notify: boolean; earliest: Date | null },
) {
  assertTimes(draft, { now, earliest })
  const { workspaceId, actor: author } = caller
  const made = { ...draft, id: randomUUID(), workspaceId, author, editedAt: null }
  await services.database.transaction(async (tx) => {
    if (!(await insertPost(tx, made, statusLimits.posts)))
      throw fail(
        'limit_reached',
        `There can be at most ${statusLimits.posts} posts. Delete one that you no longer need.`,
      )
    if (notify) await tellPost(tx, { postId: made.id, at: now })
  })
  return { status: 201, body: { data: toPostRecord(made) } }
}

/** Incidents and announcements each have fields that the other one has not. */
function change(before: Post, body: PostChange, now: Date): Post {
  const foreign = before.incidentId === null ? (['state'] as const) : (['title', 'ends_at'] as const)
  const what = before.incidentId === null ? 'Belongs to posts of incidents.' : 'Belongs to announcements.'
  const fields: Fields = Object.fromEntries(foreign.filter((field) => field in body).map((field) => [field, [what]]))
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
  return {
    ...before,
    state: body.state ?? before.state,
    title: body.title ?? before.title,
    body: body.body ?? before.body,
    postedAt: timeOr(body.posted_at, before.postedAt),
    endsAt: body.ends_at === undefined ? before.endsAt : timeOr(body.ends_at, null),
    editedAt: now,
  }
}

async function beginningOf({ caller, services }: Context, { incidentId }: Post): Promise<Date | null> {
  if (incidentId === null) return null
  const incident = await findIncident(services.database, { workspaceId: caller.workspaceId, incidentId })
  return incident === undefined ? null : new Date(incident.started_at)
}

/** A time may lie a minute ahead, because the author's clock may differ from ours. */
const leewayMs = 60_000

function assertTimes(
  { postedAt, endsAt }: Pick<Post, 'postedAt' | 'endsAt'>,
  { now, earliest }: { now: Date; earliest: Date | null },
): void {
  const fields: Fields = {}
  if (postedAt.getTime() > now.getTime() + leewayMs) fields['posted_at'] = ['Must not be in the future.']
  else if (earliest !== null && postedAt < earliest)
    fields['posted_at'] = [`Must not be before the incident began, ${earliest.toISOString()}.`]
  if (endsAt !== null && endsAt <= postedAt) fields['ends_at'] = ['Must be after posted_at.']
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
}

function timeOr<Other>(text: string | null | undefined, other: Other): Date | Other {
  return text === null || text === undefined ? other : new Date(text)
}
