// Screens: walls of names and states that a secret address shows without an account, as people make, list and change them.
import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { tagsSchema } from './tags.ts'

export const maxScreens = 20
/** A screen looks at so many monitors, the oldest. */
export const maxScreenMonitors = 5000

/** `auto` follows the browser, most of which say light where nothing was set. */
export const screenLooks = ['dark', 'light', 'auto'] as const
export type ScreenLook = (typeof screenLooks)[number]

export const screenSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  tags: z.array(z.string()).describe('It shows the monitors that have one of these; all where there are none.'),
  look: z.enum(screenLooks),
  created_at: z.iso.datetime(),
  created_by: z.string().describe('The name of the person at the time.'),
  last_used_at: z.iso.datetime().nullable().describe('When its wall was last read, to ten minutes.'),
})
export type ScreenRecord = z.infer<typeof screenSchema>

const nameSchema = text({ min: 1, max: 160 })

export const screenInputSchema = z.strictObject({
  name: nameSchema,
  tags: tagsSchema.default([]),
  look: z.enum(screenLooks).default('dark'),
})
export type ScreenInput = z.infer<typeof screenInputSchema>

/** The body of PATCH: members that are left out stay, tags are replaced whole. */
export const screenChangeSchema = z
  .strictObject({ name: nameSchema, tags: tagsSchema, look: z.enum(screenLooks) })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must change something.')
export type ScreenChange = z.infer<typeof screenChangeSchema>
