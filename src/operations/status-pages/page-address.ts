import { z } from 'zod'
import { statusPageInputSchema } from '#core/status-pages/status-page.ts'
import { findPageAt } from '#store/status-pages/status-pages.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { statusUrl, taken } from './status-pages.ts'

const longestAsked = 200

const check = defineOperation({
  tag: 'Console',
  surface: 'console',
  name: 'check_status_address',
  method: 'GET',
  path: '/status-addresses',
  scope: 'read',
  summary: 'Ask whether an address is free for a status page',
  query: {
    schema: z.strictObject({
      slug: z.string().max(longestAsked),
      page: z.uuid().toLowerCase().optional().describe('The page that is to have it, which may have it already.'),
    }),
  },
  errors: [401, 422],
  success: {
    status: 200,
    description: 'What would be refused.',
    schema: z.strictObject({
      data: z.strictObject({ url: z.string(), problem: z.string().nullable().describe('Null when it could.') }),
    }),
  },
  run: async ({ services }, { query: { slug, page } }) => {
    const read = statusPageInputSchema.shape.slug.safeParse(slug)
    const found = read.success ? await findPageAt(services.database, { slug }) : null
    const isTaken = found !== null && found.id !== page
    const problem = isTaken ? taken.slug : (read.error?.issues[0]?.message ?? null)
    return { status: 200, body: { data: { url: statusUrl(services.publicUrl, slug), problem } } }
  },
})

export const statusAddressOperations = [check]
