import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MemberRole } from '../../api/console.ts'

export const roleWords: Readonly<Record<MemberRole, MessageDescriptor>> = {
  viewer: msg`Viewer`,
  member: msg`Member`,
  owner: msg`Owner`,
}

/** A role as people read it; one that is new to this page as the API has it. */
export function roleText(role: string): string {
  const [, words] = Object.entries(roleWords).find(([name]) => name === role) ?? []
  return words === undefined ? role : i18n._(words)
}
