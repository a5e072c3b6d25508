import { z } from 'zod'
import { roleSchema } from './person.ts'
import { text } from '#core/language/text.ts'

/** Schemas of the console's own operations, which the API does not have. */

const name = text({ min: 1, max: 160 })
const scope = z.enum(['read', 'write'])

export const apiTokenSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  scope,
  state: z.enum(['active', 'expired', 'revoked']),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable().describe('Accurate to the minute.'),
})
export type ApiTokenRecord = z.infer<typeof apiTokenSchema>

export const apiTokenInputSchema = z.strictObject({
  name,
  scope,
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
})

export const memberSchema = z.strictObject({
  id: z.uuid().describe("The person's."),
  name: z.string(),
  email: z.string(),
  role: roleSchema,
  joined_at: z.iso.datetime(),
})
export type MemberRecord = z.infer<typeof memberSchema>

export const memberChangeSchema = z.strictObject({ role: roleSchema })

export const invitationSchema = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  role: roleSchema,
  invited_by: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})
export type InvitationRecord = z.infer<typeof invitationSchema>

export const invitationInputSchema = z.strictObject({ email: text({ min: 3, max: 254 }), role: roleSchema })

export const invitationTokenSchema = z.strictObject({ token: text({ min: 1, max: 200 }) })

export const workspaceSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  plan: z.string(),
  role: roleSchema,
  asks_for_provider: z
    .literal(true)
    .optional()
    .describe(
      'There where the session does not lead to the workspace, because it did not begin by its single sign-on.',
    ),
})
export type WorkspaceRecord = z.infer<typeof workspaceSchema>

export const workspaceInputSchema = z.strictObject({ name })

export const installationSchema = z.strictObject({
  sends_mail: z
    .boolean()
    .describe('Whether there is a mail server. Without one, mail is kept where the operator can read it.'),
  troubles: z
    .array(z.string())
    .describe(
      'Problems of the installation in sentences, as `perigee status` shows them. Empty if there are none, and always empty outside the first workspace of the installation.',
    ),
  has_private_target_choice: z
    .boolean()
    .describe('Whether the caller may let a monitor reach private addresses (`allow_private_target`).'),
})
export type InstallationRecord = z.infer<typeof installationSchema>

export const sessionSchema = z.strictObject({
  id: z.uuid(),
  is_current: z.boolean(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime().describe('Accurate to the day.'),
  expires_at: z.iso.datetime(),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
})
export type SessionRecord = z.infer<typeof sessionSchema>
