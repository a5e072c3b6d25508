import { plural, t } from '@lingui/core/macro'
import type { WorkspaceContentsRecord } from '../api/money.ts'
import { listed } from './language.ts'
import { dollars } from './money.ts'

/** The contents that move with a workspace, in words. */
export function contentsOf({
  monitors,
  incidents,
  tokens,
  contacts,
  credit_cents: cents,
}: Omit<WorkspaceContentsRecord, 'name'>): string {
  const receivers = listed(contacts)
  const amount = dollars(cents)
  const all = [
    monitors > 0 && plural(monitors, { one: '# monitor', other: '# monitors' }),
    incidents > 0 && plural(incidents, { one: '# incident', other: '# incidents' }),
    tokens > 0 && plural(tokens, { one: '# API token', other: '# API tokens' }),
    contacts.length > 0 && t`alerts to ${receivers}`,
    cents !== 0 && t`credit of ${amount}`,
  ].filter((words) => words !== false)
  return all.length === 0 ? t`nothing yet` : listed(all)
}
