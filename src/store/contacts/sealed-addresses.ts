import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { shownAddress } from '#core/contacts/shown-address.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

/** An address as its columns have it: where it is sealed, `destination` is what may be shown of it. */
export type StoredAddress = { destination: string; sealedDestination: Buffer | null }

/** An address that is no secret stays in the clear. */
export function sealAddress(
  { id, kind, destination }: { id: string; kind: string; destination: string },
  secrets: Secrets,
): StoredAddress {
  if (!secrets.sealsAll() || contactTraitsOf(kind)?.isAddressSecret !== true)
    return { destination, sealedDestination: null }
  return {
    destination: shownAddress({ kind, destination }),
    sealedDestination: secrets.encrypt(destination, placeOf(id)),
  }
}

/** The address itself. */
export function openAddress(
  { id, destination, sealedDestination }: StoredAddress & { id: string },
  secrets: Secrets,
): string {
  return sealedDestination === null ? destination : secrets.decrypt(sealedDestination, placeOf(id))
}

function placeOf(id: string): Place {
  return { column: 'alert_channels.destination', id }
}
