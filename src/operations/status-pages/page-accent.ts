import { z } from 'zod'
import { accentIn, grounds } from '#core/status-pages/page-colours.ts'
import { statusPageInputSchema } from '#core/status-pages/status-page.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const shown = z.strictObject({
  ground: z.string().describe('What it stands on.'),
  colour: z.string(),
  contrast: z.number().describe('4.5 or more.'),
  is_as_chosen: z.boolean().describe('False for the nearest colour that has enough contrast.'),
})

const check = defineOperation({
  tag: 'Console',
  surface: 'console',
  name: 'check_status_accent',
  method: 'GET',
  path: '/status-accents',
  scope: 'read',
  summary: 'Preview the colours of an accent of a status page, on light and on dark',
  query: { schema: z.strictObject({ accent: statusPageInputSchema.shape.accent.unwrap().unwrap() }) },
  errors: [401, 422],
  success: {
    status: 200,
    description: 'The colours.',
    schema: z.strictObject({ data: z.strictObject({ light: shown, dark: shown }) }),
  },
  run: async (_context, { query: { accent } }) => ({
    status: 200,
    body: { data: { light: toShown('light', accent), dark: toShown('dark', accent) } },
  }),
})

export const statusAccentOperations = [check]

function toShown(scheme: 'light' | 'dark', chosen: string): z.infer<typeof shown> {
  const { colour, contrast, isAsChosen } = accentIn(scheme, chosen)
  return { ground: grounds[scheme].page, colour, contrast, is_as_chosen: isAsChosen }
}
