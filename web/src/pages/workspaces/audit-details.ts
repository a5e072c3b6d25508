import { isKindName } from '#core/monitors/kind-traits.ts'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { AuditEntryRecord } from '../../api/console.ts'
import { listed } from '../../parts/language.ts'
import { dollars } from '../../parts/money.ts'
import { kindTitle as contactKindTitle } from '../contacts/contact-words.ts'
import { kindTitle } from '../monitor/kinds.ts'
import { roleText } from '../people/role-words.ts'
import { fieldWord } from './audit-words.ts'

/** What an entry tells beside its sentence. */
export function detailsOf({ action, target, details }: AuditEntryRecord): string {
  const { fields, from, role, ...others } = details
  const changed = Array.isArray(fields) ? [...new Set(fields.map((field) => fieldWord(String(field))))] : []
  const isChange = action.startsWith('update_') || action === 'change_monitors'
  const told = [
    ...(isChange && changed.length > 0 ? [t`Changed: ${listed(changed)}`] : []),
    ...(isChange && Array.isArray(fields) && changed.length === 0 ? [t`Saved as it was.`] : []),
    ...(typeof role === 'string' ? [roleDetail(role, from)] : []),
  ]
  return [...told, ...Object.entries(others).flatMap(([name, value]) => otherDetail(name, value, target.kind))].join(
    ' · ',
  )
}

function roleDetail(role: string, from: unknown): string {
  const now = roleText(role)
  if (typeof from !== 'string') return t`Role: ${now}`
  const before = roleText(from)
  return t`From ${before} to ${now}`
}

type TargetKind = AuditEntryRecord['target']['kind']

/** None for what only programs can use. A name that is new to this page is told as the API has it. */
function otherDetail(name: string, value: unknown, target: TargetKind): string[] {
  if (name === 'alert_channel_id' || (Array.isArray(value) && value.length === 0)) return []
  if (name === 'amount_cents' && typeof value === 'number') return [dollars(value)]
  if (name === 'type' && target === 'agent') return []
  const scope = name === 'scope' ? scopeWords[String(value)] : undefined
  if (scope !== undefined) return [i18n._(scope)]
  const word = fieldWord(name)
  return [`${word}: ${name === 'kind' ? kindText(String(value), target) : wordOf(value)}`]
}

const scopeWords: Readonly<Record<string, MessageDescriptor>> = {
  read: msg({ message: 'Reads', context: 'token' }),
  write: msg`Reads and writes`,
}

function kindText(kind: string, target: TargetKind): string {
  if (target === 'monitor') return isKindName(kind) ? kindTitle(kind) : kind
  return target === 'alert_channel' ? contactKindTitle(kind) : kind
}

function wordOf(value: unknown): string {
  return Array.isArray(value) ? listed(value.map(String)) : String(value)
}
