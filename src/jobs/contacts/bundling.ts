import { bundleType } from '#core/contacts/alerting.ts'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { isExpired } from '#core/contacts/delivery-retry.ts'
import type { ClaimedDelivery } from '#store/contacts/delivery-attempts.ts'
import type { DeliveryStore } from '#store/delivery-store.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

type Leaving = {
  store: Pick<DeliveryStore, 'placeInBundle' | 'nudgeFollowers' | 'handBackDelivery'>
  log: Pick<JobParts['log'], 'debug'>
}

/**
 * Whether a claimed alert leaves now. What waits for others of its contact, or has to come after one that does, is no
 * longer claimed.
 */
export async function leavesNow(claim: ClaimedDelivery, { store, log }: Leaving): Promise<boolean> {
  const seconds = bundleSecondsOf(claim)
  if (seconds !== null) {
    if ((await store.placeInBundle(claim, seconds)) === 'leaves') return true
    log.debug('An alert waits for others of its contact.', { delivery_id: claim.id })
    await store.nudgeFollowers({ id: claim.id, contactId: claim.contact.id, isBundle: false })
    return false
  }
  if (!claim.followsBundle) return true
  // Who ends the bundle nudges it. Nudged now, it would be claimed again and again until then.
  await store.handBackDelivery(claim)
  return false
}

/**
 * How long the alert may wait for others; null where it does not. One that was tried keeps its own id, by which its
 * receiver knows a repeat.
 */
function bundleSecondsOf(claim: ClaimedDelivery): number | null {
  const { alert, attempt, leavesAlone, rules, contact, ageMs } = claim
  const isSingle = alert.type !== 'test' && alert.type !== bundleType
  const isHeld = rules.contact?.bundle === true && rules.monitor?.critical !== true && contact.isEnabled
  if (!isSingle || !isHeld || attempt > 1 || leavesAlone || isExpired(ageMs)) return null
  return contactTraitsOf(contact.kind)?.bundleSeconds ?? null
}
