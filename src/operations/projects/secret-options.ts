import { findContactKind } from '#contacts/index.ts'
import { isKindName } from '#core/monitors/kind-traits.ts'
import type { SecretOptionsOf } from '#core/projects/entry-secrets.ts'
import { kinds } from '#kinds/index.ts'

/** The options of each kind of contact and of monitor that are never shown. */
export const secretOptionsOf: SecretOptionsOf = (section, kind) => {
  if (section === 'contacts') return findContactKind(kind)?.secretOptions ?? []
  return isKindName(kind) ? kinds[kind].secretOptions : []
}
