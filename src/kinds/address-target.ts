import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import { type HostPort, parseHostPort } from '#core/language/host-port.ts'
import type { ForbiddenAddress } from './kind.ts'

/** How the address of a kind that signs in is written. */
export type AddressForm = {
  /** By scheme, the port where an address names none; null where it has to name one. */
  ports: Readonly<Record<string, number | null>>
  /** An address as it should be, for texts. */
  example: string
  /** What the path names; null where an address has none. */
  path: {
    /** For texts, such as `database`. */
    noun: string
    /** What is wrong with a name, as a sentence; null when nothing is. */
    problem: (name: string) => string | null
  } | null
  /** For texts, where a user and a password go. Default: to the options of these names. */
  secrets?: string
}

export type AddressTarget = HostPort & {
  /** In lower case. */
  scheme: string
  port: number
  /** What the path names, decoded; null where it names nothing. */
  path: string | null
}

/**
 * Null for `scheme://host[:port][/path]`, else what is wrong with the text. A text that may hold a password is never
 * quoted.
 */
export function addressProblem(form: AddressForm): (url: string, isForbidden: ForbiddenAddress) => string | null {
  return (url, isForbidden) => {
    const parts = partsOf(url)
    const { ports, path, secrets = 'check_options.username and check_options.password' } = form
    const schemes = Object.keys(ports).map((scheme) => `${scheme}://`)
    if (parts === null || !Object.hasOwn(ports, parts.scheme))
      return `Must begin with ${schemes.join(' or ')}, such as ${form.example}.`
    if (parts.authority.includes('@'))
      return `Must have no user and no password: they go to ${secrets}, where they are kept encrypted.`
    if (parts.rest !== '' || (path === null && parts.path !== ''))
      return `Must have nothing after the ${path?.noun ?? 'port'}: everything else goes to check_options.`
    const place = parseHostPort(parts.authority)
    const hasPort = typeof ports[parts.scheme] === 'number' || typeof place?.port === 'number'
    if (place === null || !hasPort) {
      const noun = Object.values(ports).includes(null) ? 'a host and a port' : 'a host with or without a port'
      return `Must name ${noun}, such as ${form.example}.`
    }
    const name = decoded(parts.path)
    const problem =
      path === null || parts.path === ''
        ? null
        : name === null
          ? `Must have a readable ${path.noun}.`
          : path.problem(name)
    if (problem !== null) return problem
    return isForbidden(place.host) ? forbiddenTarget(place.host) : null
  }
}

/** A target that `addressProblem` let through. */
export function addressTarget(url: string, { ports }: AddressForm): AddressTarget {
  const parts = partsOf(url)
  const place = parts === null ? null : parseHostPort(parts.authority)
  if (parts === null || place === null) throw new TypeError('The address of a target cannot be read.')
  const port = place.port ?? ports[parts.scheme] ?? null
  if (port === null) throw new TypeError('The address of a target has another scheme.')
  return { scheme: parts.scheme, host: place.host, port, path: parts.path === '' ? null : decoded(parts.path) }
}

type Parts = { scheme: string; authority: string; path: string; rest: string }

function partsOf(url: string): Parts | null {
  const found = /^([a-z][a-z0-9+]*):\/\/([^/?#]*)(?:\/([^/?#]*))?(.*)$/is.exec(url)
  if (found === null) return null
  const [, scheme = '', authority = '', path = '', rest = ''] = found
  return { scheme: scheme.toLowerCase(), authority, path, rest }
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
