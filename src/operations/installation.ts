import { z } from 'zod'
import { installationSchema } from '#core/people/access.ts'
import { readSetting } from '#store/installation/settings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Services } from '#operations/pipeline/services.ts'

const read = defineOperation({
  name: 'read_installation',
  method: 'GET',
  path: '/installation',
  scope: 'read',
  role: 'owner',
  surface: 'console',
  tag: 'Console',
  summary: 'Show what the operator has set up, as far as owners of workspaces build on it',
  errors: [401, 403],
  success: {
    status: 200,
    description: 'The installation.',
    schema: z.strictObject({ data: installationSchema }),
  },
  run: async ({ services, caller }) => {
    const troubles = await troublesFor(services, caller.workspaceId)
    return { status: 200, body: { data: { sends_mail: services.sendsMail, troubles } } }
  },
})

/** The operator owns the workspace that the installation began with; the owners of others are customers. */
async function troublesFor({ database, readTroubles }: Services, workspaceId: string): Promise<string[]> {
  return (await readSetting(database, 'owner_workspace')) === workspaceId ? readTroubles() : []
}

export const installationOperations = [read]
