import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import { type HostPort, parseHostPort } from '#core/language/host-port.ts'
import type { ForbiddenAddress } from '#kinds/kind.ts'

const example = 'ldaps://ldap.example.com'
const usualPorts = { ldap: 389, ldaps: 636 } as const

export type LdapTarget = HostPort & { port: number; isSecured: boolean }

/** Null for `ldap://host[:port]` and `ldaps://…`, else what is wrong with the text, which may hold a password. */
export function ldapTargetProblem(url: string, isForbidden: ForbiddenAddress): string | null {
  const [, , authority = null, rest = ''] = partsOf(url) ?? []
  if (authority === null) return `Must begin with ldap:// or ldaps://, such as ${example}.`
  if (authority.includes('@'))
    return 'Must have no user and no password: they go to check_options.bind_dn and check_options.password, where they are kept encrypted.'
  if (rest !== '' && rest !== '/')
    return 'Must have nothing after the host and the port: the base of a search goes to check_options.base.'
  const place = parseHostPort(authority)
  if (place === null) return `Must name a host with or without a port, such as ${example}.`
  return isForbidden(place.host) ? forbiddenTarget(place.host) : null
}

/** A target that `ldapTargetProblem` let through. */
export function ldapTarget(url: string): LdapTarget {
  const [, scheme, authority = ''] = partsOf(url) ?? []
  const place = parseHostPort(authority)
  if (place === null) throw new TypeError('The address of a directory cannot be read.')
  const isSecured = scheme?.toLowerCase() === 'ldaps'
  return { host: place.host, port: place.port ?? usualPorts[isSecured ? 'ldaps' : 'ldap'], isSecured }
}

function partsOf(url: string): RegExpExecArray | null {
  return /^(ldaps?):\/\/([^/?#]*)(.*)$/is.exec(url)
}
