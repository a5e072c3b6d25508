import { z } from 'zod'
import { text } from '#core/text.ts'
import { definePassiveKind } from './kind.ts'

/** Like heartbeat, but the body of a call may say how things stand. decisions.md B2a. */
export const webhook = definePassiveKind({
  name: 'webhook',
  options: z
    .strictObject({
      json_path: text({ min: 1, max: 256 })
        .optional()
        .describe('Where the body says it, dot-separated. Default `status`.'),
      expected_value: z
        .json()
        .optional()
        .describe('What stands there when all is well. Without it: up, down or degraded.'),
    })
    .refine((options) => options.expected_value === undefined || options.json_path !== undefined, {
      path: ['expected_value'],
      error: 'Needs a json_path.',
    }),
})
