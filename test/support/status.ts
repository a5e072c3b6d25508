// Status pages as readers meet them, and what stands on them.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import type { ImageKind } from '#core/status-pages/page-image.ts'
import type { Database } from '#store/database/database.ts'
import { putImage } from '#store/status-pages/images.ts'
import { type Section, type StatusPage, insertStatusPage, replaceSections } from '#store/status-pages/status-pages.ts'
import { type Post, insertPost } from '#store/status-pages/posts.ts'
import type { TestApi } from './api.ts'
import { iconPicture } from './pictures.ts'

export type Asked = {
  method?: string
  headers?: Record<string, string>
  body?: string
  address?: string
  /** Default the installation's own. */
  host?: string
}

export type Page = { status: number; headers: Headers; text: string }

/** Asks as a browser without cookies does. */
export async function visit({ app }: Pick<TestApi, 'app'>, path: string, asked: Asked = {}): Promise<Page> {
  const { method = 'GET', headers = {}, body = null, address = '192.0.2.1', host = 'perigee.test' } = asked
  const form = body === null ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }
  const request = new Request(`http://${host}${path}`, { method, headers: { Host: host, ...form, ...headers }, body })
  const response = await app.fetch(request, { address })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export async function addPage(
  database: Database,
  page: Partial<StatusPage> & { workspaceId: string; slug: string; sections?: Section[]; monitorIds?: string[] },
): Promise<StatusPage> {
  const { sections, monitorIds = [], ...more } = page
  const made: StatusPage = {
    id: randomUUID(),
    domain: null,
    title: 'Acme',
    description: '',
    homepage: null,
    language: 'en',
    theme: 'auto',
    accent: null,
    layout: 'list',
    logo: null,
    favicon: null,
    history: '90_days',
    responseCharts: true,
    visibility: 'public',
    tags: [],
    monitor_tags: [],
    passwordHash: null,
    createdAt: new Date(),
    domainProvenAt: page.domain === undefined || page.domain === null ? null : new Date(),
    ...more,
  }
  const placed = sections ?? [{ name: '', monitors: monitorIds.map((monitorId) => ({ monitorId, name: null })) }]
  await database.transaction(async (tx) => {
    await insertStatusPage(tx, made)
    await replaceSections(tx, { pageId: made.id, sections: placed })
  })
  return made
}

/** Gives a page a picture, an icon of 32 by 32 pixels. */
export async function addImage(
  database: Database,
  page: StatusPage,
  kind: ImageKind,
): Promise<{ bytes: Uint8Array; hash: string }> {
  const bytes = iconPicture()
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const image = { kind, hash, bytes, mediaType: 'image/png', width: 32, height: 32, alt: 'Acme' } as const
  assert.ok(await database.transaction((tx) => putImage(tx, page, image)))
  return { bytes, hash }
}

export async function addPost(
  database: Database,
  post: Partial<Post> & { workspaceId: string; body: string },
): Promise<Post> {
  const made: Post = {
    id: randomUUID(),
    incidentId: null,
    pageId: null,
    state: null,
    title: null,
    postedAt: new Date(),
    endsAt: null,
    author: 'Olivia',
    editedAt: null,
    ...post,
  }
  assert.ok(await database.transaction((tx) => insertPost(tx, made, 100)))
  return made
}
