import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { shownAddress } from '#core/contacts/shown-address.ts'
import type { Secrets } from '#store/database/secrets.ts'

/** An address as its columns have it: where it is sealed, `destination` is what may be shown of it. */
export type StoredAddress = { destination: string; sealedDestination: Buffer | null }

/** An address that is no secret stays in the clear. */
export function sealAddress(
  { kind, destination }: { kind: string; destination: string },
  secrets: Secrets,
): StoredAddress {
  if (!secrets.sealsAll() || contactTraitsOf(kind)?.isAddressSecret !== true)
    return { destination, sealedDestination: null }
  return { destination: shownAddress({ kind, destination }), sealedDestination: secrets.encrypt(destination) }
}

/** The address itself. */
export function openAddress({ destination, sealedDestination }: StoredAddress, secrets: Secrets): string {
  return sealedDestination === null ? destination : secrets.decrypt(sealedDestination)
}
