import type { ContactRules } from '#core/contacts/alert-rules.ts'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import type { Fields } from '#core/language/error.ts'

/** What is wrong with rules for contacts of a kind. */
export function kindRuleProblems(kind: string, rules: ContactRules | null | undefined): Fields {
  return { ...bundleProblem(kind, rules), ...maintenanceProblem(kind, rules) }
}

/** Alerts are not bundled to a kind whose receiver sorts them itself. */
function bundleProblem(kind: string, rules: ContactRules | null | undefined): Fields {
  if (rules?.bundle !== true || contactTraitsOf(kind)?.bundleSeconds !== null) return {}
  return {
    'alert_rules.bundle': [
      `Contacts of the kind ${kind} get every alert separately, because their receiver groups alerts.`,
    ],
  }
}

/** Planned maintenance is no alert that a receiver should keep open, and call people for. */
function maintenanceProblem(kind: string, rules: ContactRules | null | undefined): Fields {
  if (rules?.events?.includes('maintenance') !== true || contactTraitsOf(kind)?.keepsState !== true) return {}
  return {
    'alert_rules.events': [
      `Contacts of the kind ${kind} are not told of maintenance: their receiver would open an alert for it.`,
    ],
  }
}
