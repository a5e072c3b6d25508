import { parseHostPort } from '#core/language/host-port.ts'
import { canonicalIpv6, isIpv4 } from '#core/language/ip-address.ts'
import { text } from '#core/language/text.ts'
import type { OptionHost } from '#kinds/kind.ts'

/** A name server that is asked in place of those of the location. */
export const resolver = text({ min: 1, max: 60 })
  .refine(isNameServer, 'Must be the address of a name server, such as 9.9.9.9 or [2620:fe::fe]:53.')
  .optional()
  .meta({ examples: ['9.9.9.9'] })

function isNameServer(given: string): boolean {
  if (canonicalIpv6(given) !== null) return true
  const host = parseHostPort(given)?.host ?? ''
  return isIpv4(host) || canonicalIpv6(host) !== null
}

/** The host that the option names. */
export function resolverHosts({ resolver: server }: { resolver?: string | undefined }): OptionHost[] {
  return server === undefined ? [] : [{ path: ['resolver'], host: parseHostPort(server)?.host ?? server }]
}
