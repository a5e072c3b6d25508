import type { PostRecord, PostState, StatusPageRecord, SubscriberRecord } from '#core/status-pages/status-page.ts'
import { ApiError } from './ask.ts'
import { api } from './console.ts'

export type { PostRecord, PostState, StatusPageRecord, SubscriberRecord }

type Section = { name: string; monitors: { monitor_id: string; name: string | null }[] }

/** Without `password` the one that is there stays. */
export type StatusPageForm = Pick<
  StatusPageRecord,
  | 'slug'
  | 'title'
  | 'description'
  | 'homepage'
  | 'domain'
  | 'language'
  | 'theme'
  | 'accent'
  | 'layout'
  | 'history'
  | 'response_charts'
  | 'visibility'
  | 'tags'
  | 'monitor_tags'
> & { sections: Section[]; password?: string }

/** A member that is left out gets its default. */
export type NewStatusPage = Pick<StatusPageForm, 'slug' | 'title'> & Partial<StatusPageForm>

/** What decides how a page looks while it is written. `page` is null for a new one. */
export type StatusPageDraft = Pick<
  StatusPageForm,
  | 'title'
  | 'description'
  | 'language'
  | 'theme'
  | 'accent'
  | 'layout'
  | 'history'
  | 'response_charts'
  | 'monitor_tags'
  | 'sections'
> & { page: string | null }

export type PictureKind = 'logo' | 'favicon'
export type Accent = { ground: string; colour: string; contrast: number; is_as_chosen: boolean }

/** The subject of a post: an incident, or a page. */
export type PostSubject = { incidentId: string } | { pageId: string }
export type PostForm = { state?: PostState; title?: string; body: string; ends_at?: string | null; notify?: boolean }

export type StatusPagesApi = {
  /** The oldest first. */
  list: () => Promise<StatusPageRecord[]>
  /** Null where the workspace has no such page. */
  read: (id: string) => Promise<StatusPageRecord | null>
  create: (input: NewStatusPage) => Promise<StatusPageRecord>
  change: (id: string, input: StatusPageForm) => Promise<StatusPageRecord>
  remove: (id: string) => Promise<void>
  /** The page as its readers see it, as HTML. */
  preview: (id: string) => Promise<string>
  previewDraft: (draft: StatusPageDraft) => Promise<string>
  /** `accent` is `#rrggbb`. */
  checkAccent: (accent: string) => Promise<{ light: Accent; dark: Accent }>
  /** As data: addresses. */
  readPictures: (id: string) => Promise<Record<PictureKind, string | null>>
  /** `image` is Base64; an icon has no `alt`. */
  putPicture: (id: string, kind: PictureKind, picture: { image: string; alt?: string }) => Promise<StatusPageRecord>
  removePicture: (id: string, kind: PictureKind) => Promise<void>
  /** `page` is the one that is to have the address, if there is one already. */
  checkAddress: (slug: string, page: string | null) => Promise<{ url: string; problem: string | null }>
  /** The newest first. */
  listPosts: (subject: PostSubject) => Promise<PostRecord[]>
  write: (subject: PostSubject, post: PostForm) => Promise<PostRecord>
  editPost: (id: string, post: PostForm) => Promise<PostRecord>
  removePost: (id: string) => Promise<void>
  listSubscribers: (id: string) => Promise<SubscriberRecord[]>
  /** The secret by which its messages are signed, told this once. */
  addWebhook: (id: string, destination: string) => Promise<string>
  removeSubscriber: (id: string) => Promise<void>
}

export function statusPagesApi(workspaceId: string): StatusPagesApi {
  const { get, list, post, put, patch, remove, page } = api(workspaceId)
  const root = '/status-pages'
  return {
    list: () => list(root),
    read: (id) => get<StatusPageRecord>(`${root}/${id}`).catch(nullForMissing),
    create: (input) => post(root, input),
    change: (id, input) => patch(`${root}/${id}`, input),
    remove: (id) => remove(`${root}/${id}`),
    preview: async (id) => (await get<{ html: string }>(`${root}/${id}/preview`)).html,
    previewDraft: async (draft) => (await post<{ html: string }>('/status-page-drafts/preview', draft)).html,
    checkAccent: (accent) => get(`/status-accents?${new URLSearchParams({ accent }).toString()}`),
    readPictures: (id) => get(`${root}/${id}/images`),
    putPicture: (id, kind, picture) => put(`${root}/${id}/${kind}`, picture),
    removePicture: (id, kind) => remove(`${root}/${id}/${kind}`),
    checkAddress: (slug, of) =>
      get(`/status-addresses?${new URLSearchParams({ slug, ...(of === null ? {} : { page: of }) }).toString()}`),
    listPosts: (subject) => list(postsOf(subject)),
    write: (subject, input) => post(postsOf(subject), input),
    editPost: (id, input) => patch(`/status-posts/${id}`, input),
    removePost: (id) => remove(`/status-posts/${id}`),
    listSubscribers: (id) => list(`${root}/${id}/subscribers`),
    addWebhook: async (id, destination) =>
      (await page<{ signing_secret: string }>(`${root}/${id}/subscribers`, { destination })).signing_secret,
    removeSubscriber: (id) => remove(`/status-subscribers/${id}`),
  }
}

function postsOf(subject: PostSubject): string {
  return 'pageId' in subject
    ? `/status-pages/${subject.pageId}/announcements`
    : `/incidents/${subject.incidentId}/posts`
}

function nullForMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
