import { z } from 'zod'
import { maxMetric, maxUnitLength, metricBounds } from '#core/monitors/metric.ts'
import { plainText } from '#kinds/talk/access-options.ts'
import { definePassiveKind } from './kind.ts'

const bound = z.number().min(-maxMetric).max(maxMetric)

/** Like heartbeat, but each call tells a number; core/monitors/metric.ts says what it means. */
export const pushMetric = definePassiveKind({
  name: 'push_metric',
  options: z
    .strictObject({
      down_above: bound.optional().describe('Down when the number is larger.'),
      down_below: bound.optional().describe('Down when the number is smaller.'),
      degraded_above: bound.optional().describe('Degraded when the number is larger.'),
      degraded_below: bound.optional().describe('Degraded when the number is smaller.'),
      unit: plainText(maxUnitLength)
        .optional()
        .describe('What is counted, such as % or GB. It is shown beside the number.'),
    })
    .superRefine((options, context) => {
      const given = metricBounds.filter((name) => options[name] !== undefined)
      for (const [place, name] of given.entries()) {
        const before = given[place - 1]
        if (before !== undefined && (options[name] ?? 0) <= (options[before] ?? 0))
          context.addIssue({ code: 'custom', path: [name], message: `Must be more than ${before}.` })
      }
    })
    .meta({ description: 'A job or a device that calls and tells a number.' }),
})
