import { type Signer, readToken } from './links.ts'

const confirming = 'status subscription'
const unsubscribing = 'status unsubscription'

/** Opens the page on which a subscription is confirmed. `publicUrl` has no final slash. */
export function subscriptionUrl(publicUrl: string, subscriberId: string, signer: Signer): string {
  return `${publicUrl}/status-mail/confirm/${subscriberId}.${signer.sign(confirming, subscriberId)}`
}

/** Ends a subscription: a page for people, one POST for mail programs (RFC 8058). */
export function endSubscriptionUrl(publicUrl: string, subscriberId: string, signer: Signer): string {
  return `${publicUrl}/status-mail/unsubscribe/${subscriberId}.${signer.sign(unsubscribing, subscriberId)}`
}

/** The subscriber that a confirmation link names; null when we did not make it. */
export function readSubscription(text: string, signer: Signer): string | null {
  return readToken(text, { purpose: confirming, signer })
}

/** The subscriber that a link to end a subscription names; null when we did not make it. */
export function readEndOfSubscription(text: string, signer: Signer): string | null {
  return readToken(text, { purpose: unsubscribing, signer })
}
