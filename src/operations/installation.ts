import { z } from 'zod'
import { installationSchema } from '#core/people/access.ts'
import { mayAllowPrivateTarget } from '#operations/monitors/private-target.ts'
import { isOwnersWorkspace } from '#operations/owners-workspace.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const read = defineOperation({
  name: 'read_installation',
  method: 'GET',
  path: '/installation',
  scope: 'read',
  role: 'owner',
  surface: 'console',
  tag: 'Console',
  summary: 'Show what the operator has set up, as far as it concerns workspace owners',
  errors: [401, 403],
  success: {
    status: 200,
    description: 'The installation.',
    schema: z.strictObject({ data: installationSchema }),
  },
  run: async (context) => {
    const { services, caller } = context
    const isOperators = await isOwnersWorkspace(services.database, caller.workspaceId)
    const data = {
      sends_mail: services.sendsMail,
      troubles: isOperators ? await services.readTroubles() : [],
      has_private_target_choice: await mayAllowPrivateTarget(context),
    }
    return { status: 200, body: { data } }
  },
})

export const installationOperations = [read]
