import { mask } from '#core/language/mask.ts'
import { contactTraitsOf } from './contact-kinds.ts'

/** The address as all may see it. Of one that is a secret that is the service it belongs to. */
export function shownAddress({ kind, destination }: { kind: string; destination: string }): string {
  return contactTraitsOf(kind)?.isAddressSecret === true ? `${new URL(destination).origin}/${mask}` : destination
}
