import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import { type HostPort, parseHostPort } from '#core/language/host-port.ts'
import type { ForbiddenAddress } from '#kinds/kind.ts'

/** How the address of a kind of database is written. */
export type AddressForm = {
  schemes: readonly [string, ...string[]]
  usualPort: number
  /** An address as it should be, for texts. */
  example: string
  /** What is wrong with the name of a database, as a sentence; null when nothing is. */
  databaseProblem: (name: string) => string | null
}

export type DatabaseTarget = HostPort & {
  /** In lower case. */
  scheme: string
  port: number
  /** Null where the address names none. */
  database: string | null
}

/**
 * Null for `scheme://host[:port][/database]`, else what is wrong with the text. A text that may hold a password is never
 * quoted.
 */
export function databaseTargetProblem(
  form: AddressForm,
): (url: string, isForbidden: ForbiddenAddress) => string | null {
  return (url, isForbidden) => {
    const parts = partsOf(url)
    if (parts === null || !form.schemes.includes(parts.scheme))
      return `Must begin with ${form.schemes.map((scheme) => `${scheme}://`).join(' or ')}, such as ${form.example}.`
    if (parts.authority.includes('@'))
      return 'Must have no user and no password: they go to check_options.username and check_options.password, where they are kept encrypted.'
    if (parts.rest !== '') return 'Must have nothing after the database: everything else goes to check_options.'
    const place = parseHostPort(parts.authority)
    if (place === null) return `Must name a host with or without a port, such as ${form.example}.`
    const name = decoded(parts.database)
    const problem =
      parts.database === '' ? null : name === null ? 'Must have a readable database.' : form.databaseProblem(name)
    if (problem !== null) return problem
    return isForbidden(place.host) ? forbiddenTarget(place.host) : null
  }
}

/** A target that `databaseTargetProblem` let through. */
export function databaseTarget(url: string, { usualPort }: AddressForm): DatabaseTarget {
  const parts = partsOf(url)
  const place = parts === null ? null : parseHostPort(parts.authority)
  if (parts === null || place === null) throw new TypeError('The address of a database cannot be read.')
  const database = parts.database === '' ? null : decoded(parts.database)
  return { scheme: parts.scheme, host: place.host, port: place.port ?? usualPort, database }
}

type Parts = { scheme: string; authority: string; database: string; rest: string }

function partsOf(url: string): Parts | null {
  const found = /^([a-z][a-z0-9+]*):\/\/([^/?#]*)(?:\/([^/?#]*))?(.*)$/is.exec(url)
  if (found === null) return null
  const [, scheme = '', authority = '', database = '', rest = ''] = found
  return { scheme: scheme.toLowerCase(), authority, database, rest }
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
