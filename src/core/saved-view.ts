import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { shownStates } from '#core/overview.ts'

export const maxSavedViews = 50

/** Which monitors the overview shows and how, as its address says it. What is left out is as usual. */
const viewSchema = z.strictObject({
  q: text({ min: 1, max: 200 }).optional().describe('Words in names, targets and tags.'),
  // A kind that a later version no longer has shows no monitors, and breaks nothing.
  kind: text({ min: 1, max: 40 }).optional(),
  state: z.enum(shownStates).optional(),
  sort: z.enum(['name', 'uptime', 'response']).optional(),
  group: z.enum(['kind', 'group', 'tag', 'location']).optional(),
  layout: z.enum(['dense', 'wall']).optional(),
})
export type SavedChoices = z.infer<typeof viewSchema>

const name = text({ min: 1, max: 60 }).refine(
  (words) => words.trim() === words && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(words),
  'Must be one line that neither begins nor ends with white space.',
)

export const savedViewInputSchema = z.strictObject({ name, view: viewSchema })
export type SavedViewInput = z.infer<typeof savedViewInputSchema>

export const savedViewChangeSchema = savedViewInputSchema
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must have at least one member.')

/** A view of the overview that members of a workspace choose by its name. */
export const savedViewSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  view: viewSchema,
  made_by: z.string().describe('The name at the time.'),
  created_at: z.iso.datetime(),
})
export type SavedViewRecord = z.infer<typeof savedViewSchema>

/** Whether two names would be taken for one another. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
