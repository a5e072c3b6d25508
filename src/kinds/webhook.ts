import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { definePassiveKind } from './kind.ts'
import { valueNeedsPath } from '#kinds/web/web-options.ts'

/**
 * Like heartbeat, but the body of a call may say how things stand. A body that cannot be read is a success, so that any
 * tool that posts something has called.
 */
export const webhook = definePassiveKind({
  name: 'webhook',
  options: z
    .strictObject({
      json_path: text({ min: 1, max: 256 })
        .optional()
        .describe(
          'Where the body, if it is JSON, says how things stand: dot-separated, at most 32 segments, none empty. Default `status`.',
        )
        .meta({ default: 'status' }),
      expected_value: z
        .unknown()
        .optional()
        .describe(
          'Any JSON, at most 64 kB: what stands there when all is well. Without it the words up, down and degraded count.',
        ),
    })
    .refine((options) => options.expected_value === undefined || options.json_path !== undefined, {
      path: ['expected_value'],
      error: 'Needs a json_path.',
    })
    .meta({ ...valueNeedsPath, description: 'Another system that calls and says how things stand.' }),
})
