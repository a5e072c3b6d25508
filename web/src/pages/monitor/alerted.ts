import { tagKey } from '#core/tag-key.ts'
import type { ContactRecord, MonitorRecord } from '../../api/monitors.ts'

type Told = Pick<MonitorRecord, 'alert_channel_ids' | 'alert_channel_tags'>

/** The contacts of a workspace that a monitor alerts (store/contacts/told-contacts.ts). */
export function alertedBy(monitor: Told, contacts: readonly ContactRecord[]): readonly ContactRecord[] {
  const { alert_channel_ids: ids, alert_channel_tags: tags } = monitor
  const wanted = new Set(tags.map(tagKey))
  const named = contacts.filter(
    ({ id, tags: own = [] }) => ids.includes(id) || own.some((tag) => wanted.has(tagKey(tag))),
  )
  return named.length === 0 && tags.length > 0 ? contacts : named
}
