import { z } from 'zod'
import { installationSchema } from '#core/people/access.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const read = defineOperation({
  name: 'read_installation',
  method: 'GET',
  path: '/installation',
  scope: 'read',
  surface: 'console',
  tag: 'Console',
  summary: 'Show what the operator has set up, as far as people of workspaces build on it',
  errors: [401],
  success: {
    status: 200,
    description: 'The installation.',
    schema: z.strictObject({ data: installationSchema }),
  },
  run: async ({ services }) => ({ status: 200, body: { data: { sends_mail: services.sendsMail } } }),
})

export const installationOperations = [read]
