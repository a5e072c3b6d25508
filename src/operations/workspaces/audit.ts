import { z } from 'zod'
import { actorKinds, auditEntrySchema, auditSubjects } from '#core/audit.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { choicesParameter, integerParameter, timeParameter } from '#operations/pipeline/query.ts'

const cursor = z
  .string()
  .regex(/^[1-9]\d{0,17}$/, 'Must be a `next_cursor` of an earlier answer.')
  .optional()

const longestName = 100
const filters = {
  actor: choicesParameter(actorKinds).optional().describe('Kinds of actors.'),
  target: choicesParameter(auditSubjects).optional().describe('Kinds of what was changed.'),
  target_id: z.uuid().optional().describe('What was changed.'),
  name: z
    .string()
    .trim()
    .min(1)
    .max(longestName)
    .optional()
    .describe('A part of the name of the actor or of what was changed.'),
  since: timeParameter.optional().describe('Entries from this time on.'),
  until: timeParameter.optional().describe('Entries before this time.'),
}

const list = defineOperation({
  name: 'list_audit_entries',
  method: 'GET',
  path: '/audit-entries',
  scope: 'read',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  summary: 'List who changed what in the workspace in the last 400 days, newest first',
  query: { schema: z.strictObject({ cursor, limit: integerParameter({ min: 1, max: 200, default: 50 }), ...filters }) },
  errors: [401, 403, 422],
  success: {
    status: 200,
    description: 'Entries.',
    schema: z.strictObject({
      data: z.array(auditEntrySchema),
      next_cursor: z.string().nullable().describe('For the next page; null at the oldest.'),
    }),
  },
  run: async ({ caller, services }, { query }) => {
    const { cursor: before = null, limit, target_id: targetId, ...filter } = query
    const page = await listAuditEntries(services.database, {
      workspaceId: caller.workspaceId,
      before,
      limit,
      filter: { ...filter, targetId },
    })
    return { status: 200, body: { data: page.entries, next_cursor: page.nextCursor } }
  },
})

export const auditOperations = [list]
