import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { type MessageTemplates, keptTemplates } from '#core/contacts/message-templates.ts'
import type { Fields } from '#core/language/error.ts'
import { isSameJson } from '#core/language/json-path.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Given = {
  kind: string
  given: MessageTemplates | null | undefined
  /** What the contact has. */
  held: MessageTemplates | null
}

export type DecidedTemplates = { templates?: MessageTemplates | null; fields: Fields }

/** The templates of a new contact or of a change, where some are given: they replace both. */
export async function decideTemplates(
  { kind, given, held }: Given,
  { renderTemplates }: Pick<Services, 'renderTemplates'>,
): Promise<DecidedTemplates> {
  if (given === undefined) return { fields: {} }
  const templates = keptTemplates(given)
  // What is sent back as it was read is not read again.
  if (templates === null || isSameJson(templates, held)) return { templates, fields: {} }
  const refusal = templateRefusal(kind)
  if (refusal !== null) return { fields: { templates: [refusal] } }
  const { problems } = await renderTemplates(templates, null)
  const told = Object.entries(problems).map(([member, problem]): [string, string[]] => [
    `templates.${member}`,
    [problem],
  ])
  return { templates, fields: Object.fromEntries(told) }
}

/** Null for a kind whose messages are made of words. */
export function templateRefusal(kind: string): string | null {
  return contactTraitsOf(kind)?.isForPrograms === true
    ? `Contacts of the kind ${kind} get the alert as it is, for programs, and no words that templates could replace.`
    : null
}
