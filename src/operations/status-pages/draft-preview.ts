import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { statusPageInputSchema } from '#core/status-pages/status-page.ts'
import { text } from '#core/language/text.ts'
import { type StatusPage, findStatusPage } from '#store/status-pages/status-pages.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const { description, language, theme, accent, layout, sections, monitor_tags, history, response_charts } =
  statusPageInputSchema.shape

/** What decides how a page looks; who may read it and where it is does not. */
const draftSchema = z.strictObject({
  page: z.uuid().toLowerCase().nullable().describe('The page that it is a change of; null for a new one.'),
  title: text({ max: 160 }),
  description,
  language,
  theme,
  accent,
  layout,
  sections,
  monitor_tags,
  history,
  response_charts,
})
type Draft = z.infer<typeof draftSchema>

/** A page with so many monitors costs as much as a request that reads a list. */
const monitorsPerRequest = 50

const preview = defineOperation({
  tag: 'Console',
  surface: 'console',
  subject: 'status_page',
  name: 'preview_status_page_draft',
  method: 'POST',
  path: '/status-page-drafts/preview',
  scope: 'read',
  changesNothing: true,
  summary: 'Preview a draft of a status page as readers would see it',
  description: 'Nothing is stored. Monitors of other workspaces are left out. Counts as one request per 50 monitors.',
  body: { schema: draftSchema, isRequired: true, schemaName: 'StatusPageDraft' },
  countsAs: ({ sections: parts }) =>
    Math.max(1, Math.ceil(parts.reduce((sum, { monitors }) => sum + monitors.length, 0) / monitorsPerRequest)),
  errors: [401, 404, 422],
  success: {
    status: 200,
    description: 'The page.',
    schema: z.strictObject({ data: z.strictObject({ html: z.string() }) }),
  },
  run: async (context, { body }) => {
    const html = await context.services.previewStatusPage(await pageOf(context, body), {
      sections: body.sections,
      monitor_tags: body.monitor_tags,
    })
    return { status: 200, body: { data: { html } } }
  },
})

export const draftPreviewOperations = [preview]

async function pageOf({ caller, services, now }: Context, draft: Draft): Promise<StatusPage> {
  const { workspaceId } = caller
  const { page: id, sections: _sections, response_charts: responseCharts, ...looks } = draft
  const page = id === null ? null : await findStatusPage(services.database, { workspaceId, id })
  if (page === null && id !== null) throw fail('not_found', 'There is no such status page in this workspace.')
  return { ...(page ?? newPage(workspaceId, now)), ...looks, responseCharts }
}

function newPage(workspaceId: string, now: Date): Omit<StatusPage, keyof Draft | 'responseCharts'> {
  return {
    id: randomUUID(),
    workspaceId,
    slug: 'draft',
    homepage: null,
    domain: null,
    domainProvenAt: null,
    visibility: 'draft',
    tags: [],
    passwordHash: null,
    logo: null,
    favicon: null,
    createdAt: now,
  }
}
