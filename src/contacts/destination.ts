import { holdsMask, maskProblem } from '#core/language/mask.ts'
import { text } from '#core/language/text.ts'
import { forbiddenDestination } from '#core/monitors/forbidden-target.ts'
import { createGuard, withoutBrackets } from '#net/dial/guard.ts'
import type { ForbiddenAddress } from './contact.ts'

const maxLength = 2048

/** An address as an option. What else it has to be, `httpDestinationProblem` and `serverProblem` say. */
export const addressText = text({ min: 1, max: maxLength })

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

/** What is wrong with the address of a server, which may have a path to which a kind adds its own. */
export function serverProblem(server: string, isForbidden: ForbiddenAddress): string | null {
  const problem = httpDestinationProblem(server, isForbidden)
  if (problem !== null) return problem
  const { search, hash } = new URL(server)
  return search === '' && hash === '' ? null : 'Must have no query and no fragment.'
}

/** The address of `path` below a server, which begins with a slash. */
export function belowServer(server: string, path: string): string {
  return new URL(server).href.replace(/\/+$/, '') + path
}

const maxLabelLength = 100

/** What is wrong with a name, such as of a room, by which people recognise a contact whose address is an option. */
export function labelProblem(destination: string): string | null {
  if (destination !== destination.trim() || /\p{Cc}/u.test(destination))
    return 'Must be one line without space around it.'
  if (/:\/\//.test(destination))
    return 'Must be a name and not an address, because it is shown to all who see the contact.'
  return destination.length <= maxLabelLength ? null : `Must have at most ${maxLabelLength} characters.`
}

/** A public address is refused only where PERIGEE_DENIED_TARGETS has it, and nothing admits it then. */
function refusalOf(name: string, host: string): string {
  return isPrivateAddress(host) ? forbiddenDestination(name) : 'Is an address that this installation does not send to.'
}

/** A literal address that is dialled only where the operator allows it. */
function isPrivateAddress(host: string): boolean {
  return createGuard('none').isForbiddenAddress(host)
}
