import { overviewSchema } from '#core/overview.ts'
import { readOverview } from '#store/overview/overview.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const read = defineOperation({
  name: 'read_overview',
  method: 'GET',
  path: '/overview',
  scope: 'read',
  surface: 'console',
  tag: 'Console',
  summary: 'Show all monitors with their states, last response times and daily bars, and ongoing incidents',
  errors: [401],
  success: { status: 200, description: 'The overview, whose rows are lists.', schema: overviewSchema },
  run: async ({ caller, services, now }) => {
    return { status: 200, body: await readOverview(services.database, { workspaceId: caller.workspaceId, now }) }
  },
})

export const overviewOperations = [read]
