import type { WorkspaceContentsRecord } from '../api/money.ts'
import { dollars } from './money.ts'

/** What moves with a workspace, in words. */
export function contentsOf({
  monitors,
  incidents,
  tokens,
  contacts,
  credit_cents: cents,
}: Omit<WorkspaceContentsRecord, 'name'>): string {
  const counts = [count(monitors, 'monitor'), count(incidents, 'incident'), count(tokens, 'API token')].flat()
  const alerts = contacts.length === 0 ? [] : [`alerts to ${contacts.join(', ')}`]
  const credit = cents === 0 ? [] : [`credit of ${dollars(cents)}`]
  const all = [...counts, ...alerts, ...credit]
  return all.length === 0 ? 'nothing yet' : all.join(', ')
}

function count(amount: number, thing: string): string[] {
  return amount === 0 ? [] : [`${amount} ${thing}${amount === 1 ? '' : 's'}`]
}
