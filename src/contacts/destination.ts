import { holdsMask, maskProblem } from '#core/language/mask.ts'
import { forbiddenDestination } from '#core/monitors/forbidden-target.ts'
import { createGuard, withoutBrackets } from '#net/dial/guard.ts'
import type { ForbiddenAddress } from './contact.ts'

const maxLength = 2048

/**
 * Destinations are https. http is for receivers in a network of the operator's own: a literal address outside the
 * public internet that PERIGEE_ALLOW_PRIVATE_TARGETS admits, or `localhost`. A destination is called from
 * our network like a target, so the same rule holds for both. Names are judged again when they are dialled.
 */
export function httpDestinationProblem(destination: string, isForbidden: ForbiddenAddress): string | null {
  if (destination.length > maxLength) return `Must have at most ${maxLength} characters.`
  if (holdsMask(destination)) return maskProblem
  const url = /^https?:\/\/[^\s\\]+$/i.test(destination) ? URL.parse(destination) : null
  if (url === null) return 'Must be an https:// address.'
  if (url.username !== '' || url.password !== '') return 'Must not hold a user name or password.'
  const host = url.hostname === 'localhost' ? '127.0.0.1' : withoutBrackets(url.hostname)
  if (isForbidden(host)) return refusalOf(url.hostname, host)
  if (url.protocol === 'http:' && !isPrivateAddress(host)) return 'Must be an https:// address.'
  return null
}

/** A public address is refused only where PERIGEE_DENIED_TARGETS has it, and nothing admits it then. */
function refusalOf(name: string, host: string): string {
  return isPrivateAddress(host) ? forbiddenDestination(name) : 'Is an address to which this installation sends nothing.'
}

/** A literal address that is dialled only where the operator allows it. */
function isPrivateAddress(host: string): boolean {
  return createGuard('none').isForbiddenAddress(host)
}
