import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { tagsSchema } from '#core/tags.ts'
import { mask } from '#core/language/mask.ts'
import { contactRulesSchema } from './alert-rules.ts'
import { messageTemplatesSchema } from './message-templates.ts'
import { contactKindsText } from './contact-kinds.ts'

/** Contacts a workspace may have: a bound on what one alert can send, far above what a team uses. */
export const contactLimit = 100

const contactOptions = z.record(z.string(), z.unknown())

/** A contact as the API shows it, which calls it an alert channel. */
export const contactSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  kind: z.string().describe(`${contactKindsText}; others may follow.`),
  destination: z
    .string()
    .describe(
      `The address, or the URL. The address of a Slack contact is a secret: tokens with the read scope see its host and \`${mask}\`.`,
    ),
  enabled: z.boolean().describe('False once the service switched it off: unsubscribed, gone, or failing for 3 days.'),
  confirmed: z.boolean().describe('An email contact is alerted only after its confirmation link was opened.'),
  options: contactOptions
    .optional()
    .describe('The options of its kind, without secrets; only if the kind has options.'),
  alert_rules: contactRulesSchema.optional().describe('Which alerts it gets, and when; only if rules are set.'),
  templates: messageTemplatesSchema
    .optional()
    .describe('The texts of its messages, in Liquid; only if it has templates.'),
  tags: z.array(z.string()).optional().describe('Only if it has tags.'),
})
export type ContactRecord = z.infer<typeof contactSchema>

/** The body of POST. The kinds of contact check `kind` and `destination` by rules of their own. */
export const contactInputSchema = z.strictObject({
  name: text({ min: 1, max: 160 }),
  kind: text({ min: 1, max: 64 }).describe(`${contactKindsText}.`),
  destination: text({ min: 1, max: 2048 }).describe('The address, or an https:// URL.'),
  options: contactOptions.optional().describe('What the kind adds. Secrets among them are never returned.'),
  alert_rules: contactRulesSchema
    .nullable()
    .optional()
    .describe('Which alerts it gets, and when. They are replaced whole. Default null: all alerts, at once.'),
  templates: messageTemplatesSchema
    .nullable()
    .optional()
    .describe('The words of its messages, in Liquid; null for the built-in ones. Not of kinds for programs.'),
  tags: tagsSchema.optional().describe('At most 20 words to find contacts by. Default [].'),
})
export type ContactInput = z.infer<typeof contactInputSchema>

/** The body of PATCH: what a contact is made of, each member on its own, so that one can be sent back as it was read. */
export const contactChangeSchema = z
  .strictObject({
    ...contactInputSchema.partial().shape,
    enabled: z.boolean().optional().describe('The reader of an email contact who switched it off is asked again.'),
  })
  .refine((change) => Object.keys(change).length > 0, 'Must change something.')
export type ContactChange = z.infer<typeof contactChangeSchema>

export const alertTestSchema = z.strictObject({
  delivered: z.literal(true),
  alert_channel_id: z.uuid(),
  sent_at: z.iso.datetime(),
  status_code: z.int().nullable().describe('The status code of the answer; null if there is none.'),
})
