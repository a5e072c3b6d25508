import { z } from 'zod'
import { text } from '#core/language/text.ts'

export const commentLimits = { comments: 200, bodyLength: 4000 } as const

export const commentInputSchema = z.strictObject({
  body: text({ min: 1, max: commentLimits.bodyLength }).refine((body) => body.trim() !== '', 'Must not be blank.'),
})

/** What a member or a program wrote beside an incident, as the API shows it. */
export const commentSchema = z.strictObject({
  id: z.uuid(),
  author: z.string().describe('The name of the author at the time.'),
  body: z.string().describe('Markdown.'),
  created_at: z.iso.datetime(),
  edited_at: z.iso.datetime().nullable(),
  is_own: z.boolean().describe('Whether the caller wrote it, and may change and delete it.'),
})
export type CommentRecord = z.infer<typeof commentSchema>

export const assigneeInputSchema = z.strictObject({
  person_id: z.uuid().toLowerCase().nullable().describe('A member of the workspace; null for none.'),
})
