import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Place } from '../shell/places.ts'

/** Other words that people look for a page by; apart from the pages themselves, which every page of the console loads. */
export const placeWords: Readonly<Partial<Record<Place['to'], MessageDescriptor>>> = {
  '/monitors': msg`overview home dashboard`,
  '/incidents': msg`outages alerts`,
  '/objectives': msg`slo error budget`,
  '/exposures': msg`exploited vulnerabilities cve`,
  '/maintenance': msg`planned windows silence`,
  '/reports': msg`weekly monthly print`,
  '/status-pages': msg`public page subscribers`,
  '/contacts': msg`notifications channels email webhook`,
  '/contacts/on-call': msg`schedules rota shifts`,
  '/settings/workspace': msg`workspace name delete`,
  '/settings/import': msg`import kuma gatus har postman openapi`,
  '/settings/screens': msg`wall tv kiosk dashboard`,
  '/settings/members': msg`people invite roles team`,
  '/settings/tokens': msg`keys`,
  '/settings/agents': msg`mcp`,
  '/settings/audit-log': msg`history who`,
  '/settings/plan': msg`slots limits`,
  '/settings/account': msg`name email profile`,
  '/settings/single-sign-on': msg`sso oidc openid identity provider`,
  '/settings/security': msg`password passkey two-factor sessions devices`,
}
