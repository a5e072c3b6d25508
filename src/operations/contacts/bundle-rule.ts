import type { ContactRules } from '#core/contacts/alert-rules.ts'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import type { Fields } from '#core/language/error.ts'

/** What is wrong with rules that bundle alerts to a kind whose receiver sorts them itself. */
export function bundleProblem(kind: string, rules: ContactRules | null | undefined): Fields {
  if (rules?.bundle !== true || contactTraitsOf(kind)?.bundleSeconds !== null) return {}
  return {
    'alert_rules.bundle': [`Contacts of the kind ${kind} get each alert by itself: their receiver groups alerts.`],
  }
}
