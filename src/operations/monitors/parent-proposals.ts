import { z } from 'zod'
import { parentProposalSchema, proposeParents } from '#core/monitors/parent-proposals.ts'
import { readProposalMonitors } from '#store/monitors/parent-proposals.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { monitorNotFound } from './monitor-surroundings.ts'

const list = defineOperation({
  name: 'list_parent_proposals',
  method: 'GET',
  path: '/monitors/{id}/parent-proposals',
  scope: 'read',
  tag: 'Monitors',
  summary: 'List what a monitor may depend on, and why',
  errors: [401, 404],
  success: {
    status: 200,
    description: 'Proposals.',
    schema: z.strictObject({ data: z.array(parentProposalSchema) }),
  },
  run: async ({ services, caller, now }, { path }) => {
    const { id: monitorId = '' } = path
    const request = { workspaceId: caller.workspaceId, monitorId, now }
    const monitors = await readProposalMonitors(services.database, request)
    const of = monitors.find(({ id }) => id === monitorId) ?? monitorNotFound()
    return { status: 200, body: { data: proposeParents(of, monitors) } }
  },
})

export const parentProposalOperations = [list]
