/** Names the setting, because the first private target is often the operator's own. */
const unless = 'unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS'

/** Why an address that a caller gives is refused, as a sentence. */
export function forbiddenTarget(host: string): string {
  return `Leads to ${host}, a private or reserved address, which is not checked ${unless}.`
}

/** Why an address to which messages should go is refused, as a sentence. */
export function forbiddenDestination(host: string): string {
  return `Leads to ${host}, a private or reserved address, to which nothing is sent ${unless}.`
}

/** Why a check did not dial a port of this service; `label` is host:port. */
export function forbiddenOwnPort(label: string): string {
  return `${label} is Perigee itself, which is not checked`
}

/**
 * Why a check did not dial, as the text of a failure. `address` is null where it is kept from strangers; the name of a
 * setting is told to them as well, because it tells nothing of this installation.
 */
export function forbiddenAddress(host: string, address: string | null): string {
  if (address === host) return `${host} is a private or reserved address, which is not checked ${unless}`
  if (address === null) return `${host} leads to a private or reserved address, which is not checked ${unless}`
  return `${host} leads to ${address}, a private or reserved address, which is not checked ${unless}`
}

/** The address that one of these texts names as private or reserved, without brackets; null where it names none. */
export function forbiddenAddressIn(text: string): string | null {
  const [, address = null] =
    /([^\s[\]]+)\]?(?:,| is) a private or reserved address, which is not checked/.exec(text) ?? []
  return address
}
