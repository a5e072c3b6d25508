// Which delivery to a contact waits for which other one, as conditions in SQL.
import { endingTypes } from '#core/contacts/alerting.ts'
import { textArray } from '#store/database/array-literal.ts'

/**
 * Whether `delivery` is behind an earlier one of its monitor and contact, as a condition. A recovery waits until its
 * down alert has ended. A new down alert waits for the recovery before it only while that is due or under way: nobody
 * is told late of an outage because an older message has to be tried again. What waits in a bundle that is still open
 * keeps nothing behind it, which may join.
 */
export const isBehind = `exists (
  select
  from deliveries as earlier
  where earlier.id = delivery.after_id
    and earlier.state = 'pending'
    and (earlier.due_at <= now() or delivery.alert ->> 'type' = any('${textArray(endingTypes)}'))
    and not ${isInOpenBundle('earlier')}
)`

/** Whether `delivery` would be behind one that waits in an open bundle, if that did wait by itself. */
export const followsBundle = `exists (
  select
  from deliveries as earlier
  where earlier.id = delivery.after_id
    and earlier.state = 'pending'
    and (earlier.due_at <= now() or delivery.alert ->> 'type' = any('${textArray(endingTypes)}'))
    and ${isInOpenBundle('earlier')}
)`

/** The monitor `m` of which `delivery` tells something. */
export const isMonitorOf = `
  m.id = (delivery.alert #>> '{data,monitor,id}')::uuid
  and m.workspace_id = delivery.workspace_id`

/** Whether `alias`, a delivery, waits in a bundle that others may still join. */
function isInOpenBundle(alias: string): string {
  // With the first attempt of a bundle, all that is in it counts as tried. Asked for the bundle itself, each statement of
  // a delivery would take PostgreSQL twice the time to plan.
  return `(${alias}.bundle_id is not null and ${alias}.attempt = 0)`
}
