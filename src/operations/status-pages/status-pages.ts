import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Fields, fail, invalidFields } from '#core/language/error.ts'
import {
  type SectionInput,
  type StatusPageChange,
  type StatusPageInput,
  type StatusPageRecord,
  statusLimits,
  statusPageChangeSchema,
  statusPageInputSchema,
  statusPageSchema,
} from '#core/status-pages/status-page.ts'
import { type ImageKind, type StoredImage, imagePath } from '#core/status-pages/page-image.ts'
import { quarantineDays } from '#core/status-pages/page-domain.ts'
import type { Transaction } from '#store/database/database.ts'
import { isQuarantined } from '#store/status-pages/page-domains.ts'
import {
  type ListedPage,
  type StatusPage,
  countPages,
  deleteStatusPage,
  findStatusPage,
  findTaken,
  holdMonitors,
  insertStatusPage,
  listStatusPages,
  lockStatusPage,
  replaceSections,
  updateStatusPage,
} from '#store/status-pages/status-pages.ts'
import { assertOpen } from '#store/workspaces/workspaces.ts'
import { assertClaimed, assertNamesMonitors } from '#operations/workspaces/assert-claimed.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { hashPassword } from './page-password.ts'
import { proofOf, provenAt } from './page-proof.ts'

const forPrograms = { tag: 'Status pages and maintenance', surface: 'programs', subject: 'status_page' } as const

const list = defineOperation({
  ...forPrograms,
  name: 'list_status_pages',
  method: 'GET',
  path: '/status-pages',
  scope: 'read',
  summary: 'List the public status pages of the workspace, oldest first',
  errors: [401],
  success: { status: 200, description: 'Pages.', schema: z.strictObject({ data: z.array(statusPageSchema) }) },
  run: async ({ caller, services }) => {
    const pages = await listStatusPages(services.database, caller.workspaceId)
    return { status: 200, body: { data: pages.map((page) => toPageRecord(page, services)) } }
  },
})

const get = defineOperation({
  ...forPrograms,
  name: 'get_status_page',
  method: 'GET',
  path: '/status-pages/{id}',
  scope: 'read',
  summary: 'Show a status page and its content',
  errors: [401, 404],
  success: { status: 200, description: 'The page.', schema: z.strictObject({ data: statusPageSchema }) },
  find: findTarget,
  run: async ({ services }, { target }) => ({ status: 200, body: { data: toPageRecord(target, services) } }),
})

const preview = defineOperation({
  ...forPrograms,
  tag: 'Console',
  surface: 'console',
  name: 'preview_status_page',
  method: 'GET',
  path: '/status-pages/{id}/preview',
  scope: 'read',
  summary: 'Show a status page, also a draft, as readers see it',
  errors: [401, 404],
  success: {
    status: 200,
    description: 'The page.',
    schema: z.strictObject({ data: z.strictObject({ html: z.string() }) }),
  },
  find: findTarget,
  run: async ({ services }, { target }) => ({
    status: 200,
    body: { data: { html: await services.previewStatusPage(target) } },
  }),
})

const create = defineOperation({
  ...forPrograms,
  name: 'create_status_page',
  method: 'POST',
  path: '/status-pages',
  scope: 'write',
  summary: 'Publish a status page',
  description: `A workspace has at most ${statusLimits.pages} pages, each with at most ${statusLimits.monitors} monitors. One that no person has claimed and nobody paid for has drafts only (\`claim_required\`).`,
  body: { schema: statusPageInputSchema, isRequired: true, schemaName: 'StatusPageInput' },
  makes: 'status_pages',
  errors: [401, 403, 422],
  success: { status: 201, description: 'The page.', schema: z.strictObject({ data: statusPageSchema }) },
  run: async (context, { body }) => {
    const { caller, services, now, noteChange } = context
    const { workspaceId } = caller
    const passwordHash = body.password === null ? null : await hashPassword(body.password)
    const domainProvenAt = provenAt(body.domain, { before: null, services, now })
    const made = { id: randomUUID(), workspaceId, createdAt: now, logo: null, favicon: null }
    const page = { ...pageOf(body), ...made, passwordHash, domainProvenAt }
    noteChange({ id: page.id, name: page.title })
    await services.database.transaction(async (tx) => {
      const count = await countPages(tx, workspaceId)
      await assertOpen(tx, workspaceId)
      if (count >= statusLimits.pages)
        throw fail('limit_reached', `A workspace can have at most ${statusLimits.pages} status pages.`)
      await assertPage(tx, page, { sections: body.sections, before: null, services, now })
      await insertStatusPage(tx, page)
      await replaceSections(tx, { pageId: page.id, sections: body.sections.map(toSection) })
    })
    return { status: 201, body: { data: toPageRecord(await readAgain(context, page.id), services) } }
  },
})

const update = defineOperation({
  ...forPrograms,
  name: 'update_status_page',
  method: 'PATCH',
  path: '/status-pages/{id}',
  scope: 'write',
  summary: 'Change a status page',
  description:
    'Omitted fields stay as they are; `sections` are replaced as a whole. Readers see the change within ten seconds.',
  body: { schema: statusPageChangeSchema, isRequired: true, schemaName: 'StatusPageChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The page as it is now.', schema: z.strictObject({ data: statusPageSchema }) },
  find: findTarget,
  run: async (context, { target, body }) => {
    const { caller, services, now } = context
    const hash = typeof body.password === 'string' ? await hashPassword(body.password) : null
    await services.database.transaction(async (tx) => {
      const before = await lockStatusPage(tx, { workspaceId: caller.workspaceId, id: target.id })
      if (before === null) throw pageNotFound()
      const wanted = changed(before, body, hash)
      const page = { ...wanted, domainProvenAt: provenAt(wanted.domain, { before, services, now }) }
      await assertPage(tx, page, { sections: body.sections ?? null, before, services, now })
      await updateStatusPage(tx, page)
      if (body.sections === undefined) return
      await replaceSections(tx, { pageId: page.id, sections: body.sections.map(toSection) })
    })
    return { status: 200, body: { data: toPageRecord(await readAgain(context, target.id), services) } }
  },
})

const remove = defineOperation({
  ...forPrograms,
  name: 'delete_status_page',
  method: 'DELETE',
  path: '/status-pages/{id}',
  scope: 'write',
  summary: 'Delete a status page with its announcements and subscribers',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The page was deleted. Posts on incidents stay.' },
  find: findTarget,
  run: async ({ caller, services }, { target }) => {
    await services.database.transaction((tx) =>
      deleteStatusPage(tx, { workspaceId: caller.workspaceId, id: target.id }),
    )
    return { status: 204, body: undefined }
  },
})

export const statusPageOperations = [list, get, preview, create, update, remove]

type Target = ListedPage & { name: string }

/** A page of the caller's workspace, for `find`. */
export async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<Target> {
  const page = await findStatusPage(services.database, { workspaceId: caller.workspaceId, id })
  if (page === null) throw pageNotFound()
  return { ...page, name: page.title }
}

function pageNotFound(): Error {
  return fail('not_found', 'There is no such status page in this workspace.')
}

async function readAgain({ caller, services }: Context, id: string): Promise<ListedPage> {
  const page = await findStatusPage(services.database, { workspaceId: caller.workspaceId, id })
  if (page === null) throw pageNotFound()
  return page
}

export const taken = {
  slug: 'Is already used by another status page.',
  domain: 'Is already the domain of another status page.',
} as const

type Asked = {
  sections: readonly SectionInput[] | null
  before: StatusPage | null
  services: Services
  now: Date
}

/** Checks the rules that need more than one field, or the database. Refuses with all problems at once. */
async function assertPage(
  tx: Transaction,
  page: StatusPage,
  { sections, before, services, now }: Asked,
): Promise<void> {
  const { slug, workspaceId } = page
  // Whoever got the name meanwhile keeps nobody from changing the rest of a page that only wants it.
  const isOldWish = before?.domain === page.domain && page.domainProvenAt === null
  const domain = isOldWish ? null : page.domain
  if (page.visibility !== 'draft') await assertClaimed(tx, workspaceId, 'Pages that are no drafts')
  if (page.monitor_tags.length > 0) await assertNamesMonitors(tx, workspaceId, 'Pages that choose monitors by a tag')
  const fields: Fields = {}
  for (const field of await findTaken(tx, { slug, domain, workspaceId, exceptId: before?.id ?? null }))
    fields[field] = [taken[field]]
  if (domain !== null && domain === new URL(services.publicUrl).hostname)
    fields['domain'] = ['Must not be the host name of this installation.']
  if (domain !== null && (await isQuarantined(tx, { domain, workspaceId, at: now })))
    fields['domain'] = [`Was the domain of another workspace less than ${quarantineDays} days ago.`]
  if (page.visibility === 'password' && page.passwordHash === null)
    fields['password'] = ['A page with the visibility password needs a password.']
  if (sections !== null) Object.assign(fields, await sectionProblems(tx, workspaceId, sections))
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
}

async function sectionProblems(
  tx: Transaction,
  workspaceId: string,
  sections: readonly SectionInput[],
): Promise<Fields> {
  const placed = sections.flatMap(({ monitors }, section) =>
    monitors.map(({ monitor_id: id }, index) => ({ id, field: `sections.${section}.monitors.${index}.monitor_id` })),
  )
  if (placed.length > statusLimits.monitors)
    return { sections: [`Must have at most ${statusLimits.monitors} monitors in all.`] }
  const own = await holdMonitors(tx, { workspaceId, monitorIds: placed.map(({ id }) => id) })
  const seen = new Set<string>()
  const fields: Fields = {}
  for (const { id, field } of placed) {
    if (!own.has(id)) fields[field] = ['This workspace has no such monitor.']
    else if (seen.has(id)) fields[field] = ['Is already on the page.']
    seen.add(id)
  }
  return fields
}

function pageOf(
  body: StatusPageInput,
): Omit<StatusPage, 'id' | 'workspaceId' | 'passwordHash' | 'createdAt' | 'domainProvenAt' | ImageKind> {
  const { slug, title, description, homepage, domain, language, theme, accent, layout, history, visibility, tags } =
    body
  return {
    slug,
    title,
    description,
    homepage,
    domain,
    language,
    theme,
    accent,
    layout,
    history,
    visibility,
    tags,
    monitor_tags: body.monitor_tags,
    responseCharts: body.response_charts,
  }
}

/** `hash` is that of the new password; null removes the password. */
function changed(before: StatusPage, body: StatusPageChange, hash: string | null): StatusPage {
  const { homepage, domain } = body
  return {
    ...before,
    slug: body.slug ?? before.slug,
    title: body.title ?? before.title,
    description: body.description ?? before.description,
    homepage: homepage === undefined ? before.homepage : homepage,
    domain: domain === undefined ? before.domain : domain,
    language: body.language ?? before.language,
    theme: body.theme ?? before.theme,
    accent: body.accent === undefined ? before.accent : body.accent,
    layout: body.layout ?? before.layout,
    history: body.history ?? before.history,
    responseCharts: body.response_charts ?? before.responseCharts,
    visibility: body.visibility ?? before.visibility,
    tags: body.tags ?? before.tags,
    monitor_tags: body.monitor_tags ?? before.monitor_tags,
    passwordHash: body.password === undefined ? before.passwordHash : hash,
  }
}

function toSection({ name, monitors }: SectionInput): Parameters<typeof replaceSections>[1]['sections'][number] {
  return { name, monitors: monitors.map(({ monitor_id: monitorId, name: shown }) => ({ monitorId, name: shown })) }
}

export function toPageRecord(page: ListedPage, { publicUrl }: Pick<Services, 'publicUrl'>): StatusPageRecord {
  const { id, slug, title, description, homepage, domain, theme, history, visibility, sections } = page
  return {
    id,
    slug,
    url: statusUrl(publicUrl, slug),
    title,
    description,
    homepage,
    domain,
    ...proofOf(page),
    language: page.language,
    theme,
    accent: page.accent,
    layout: page.layout,
    logo: toImage(page.logo, page, publicUrl),
    favicon: toImage(page.favicon, page, publicUrl),
    history,
    response_charts: page.responseCharts,
    visibility,
    has_password: page.passwordHash !== null,
    tags: page.tags,
    monitor_tags: page.monitor_tags,
    sections,
    monitors: sections.reduce((sum, { monitors }) => sum + monitors.length, page.tagged),
    subscribers: page.subscribers,
    created_at: page.createdAt.toISOString(),
  }
}

function toImage(image: StoredImage | null, { slug }: StatusPage, publicUrl: string): StatusPageRecord[ImageKind] {
  if (image === null) return null
  const { mediaType, width, height, size, alt } = image
  const url = `${statusUrl(publicUrl, slug)}${imagePath(image)}`
  return { url, media_type: mediaType, width, height, bytes: size, alt }
}

/** `publicUrl` has no final slash. */
export function statusUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/status/${slug}`
}
