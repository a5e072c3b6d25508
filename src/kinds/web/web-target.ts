import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import type { ForbiddenAddress } from '#kinds/kind.ts'

/** What is wrong with a target of http and api, as a sentence for `fields.url`; null when nothing is. */
export function webTargetProblem(text: string, isForbidden: ForbiddenAddress): string | null {
  const url = URL.parse(text)
  if (url === null) return 'Must be a URL with its scheme, such as https://example.com/health.'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'Must begin with https:// or http://.'
  if (url.username !== '' || url.password !== '')
    return 'Must not hold a user name or password; send them in a request header, which is kept encrypted.'
  if (url.port === '0') return 'Must not use port 0.'
  if (isForbidden(url.hostname)) return forbiddenTarget(url.hostname)
  return null
}
