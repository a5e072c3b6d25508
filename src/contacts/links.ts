/** The part of the installation's secrets that links need. */
export type Signer = {
  sign: (purpose: string, text: string) => string
  isSigned: (purpose: string, text: string, signature: string) => boolean
}

const confirming = 'contact confirmation'
const unsubscribing = 'contact unsubscription'
const token = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/

/** Opens the page on which an address is confirmed. `publicUrl` has no final slash. */
export function confirmationUrl(publicUrl: string, contactId: string, signer: Signer): string {
  return `${publicUrl}/contacts/confirm/${contactId}.${signer.sign(confirming, contactId)}`
}

/** Ends alerts to a contact: a page for people, one POST for mail programs (RFC 8058). */
export function unsubscribeUrl(publicUrl: string, contactId: string, signer: Signer): string {
  return `${publicUrl}/contacts/unsubscribe/${contactId}/${signer.sign(unsubscribing, contactId)}`
}

/** The contact that a confirmation link names; null when we did not make it. */
export function readConfirmationToken(text: string, signer: Signer): string | null {
  return readToken(text, { purpose: confirming, signer })
}

/** The id in front of its signature for this purpose; null when we did not make the token. */
export function readToken(text: string, { purpose, signer }: { purpose: string; signer: Signer }): string | null {
  const [, id, signature] = token.exec(text) ?? []
  if (id === undefined || signature === undefined) return null
  return signer.isSigned(purpose, id, signature) ? id : null
}

export function isUnsubscribeLink(link: { contactId: string; signature: string }, signer: Signer): boolean {
  return signer.isSigned(unsubscribing, link.contactId, link.signature)
}
