import { t } from '@lingui/core/macro'
import type { passwordLength } from '#core/people/person.ts'

/** The rule itself is the service's; a change of it there does not compile here. */
const shortest: (typeof passwordLength)['min'] = 10

export function passwordHint(): string {
  return t`At least ${shortest} characters; a few words are best.`
}
