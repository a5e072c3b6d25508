/** The part of the installation's secrets that links need. */
export type Signer = {
  sign: (purpose: string, text: string) => string
  isSigned: (purpose: string, text: string, signature: string) => boolean
  /** By each key that is known; `sign` uses the first. */
  signatures: (purpose: string, text: string) => readonly [string, ...string[]]
}

const confirming = 'contact confirmation'
const unsubscribing = 'contact unsubscription'
const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const token = new RegExp(`^(${id}(?:~[1-9]\\d{0,8})?)\\.([\\w-]{43})$`)
const linkId = new RegExp(`^(${id})(?:~([1-9]\\d{0,8}))?$`)

/** A contact at one of its addresses: `addressNumber` counts how often the address was changed. */
export type Addressee = { id: string; addressNumber: number }

/** How links name a contact at its present address. */
export function linkIdOf({ id: contactId, addressNumber }: Addressee): string {
  return addressNumber === 0 ? contactId : `${contactId}~${addressNumber}`
}

/** Null for a text that no link has. */
export function readLinkId(text: string): Addressee | null {
  const [, contactId, number = '0'] = linkId.exec(text) ?? []
  return contactId === undefined ? null : { id: contactId, addressNumber: Number(number) }
}

/** Opens the page on which an address is confirmed. `publicUrl` has no final slash, `contactId` is a `linkIdOf`. */
export function confirmationUrl(publicUrl: string, contactId: string, signer: Signer): string {
  return `${publicUrl}/contacts/confirm/${contactId}.${signer.sign(confirming, contactId)}`
}

/** Ends alerts to a contact: a page for people, one POST for mail programs (RFC 8058). */
export function unsubscribeUrl(publicUrl: string, contactId: string, signer: Signer): string {
  return `${publicUrl}/contacts/unsubscribe/${contactId}/${signer.sign(unsubscribing, contactId)}`
}

/** The contact that a confirmation link names, at the address it was mailed to; null when we did not make it. */
export function readConfirmationToken(text: string, signer: Signer): Addressee | null {
  const named = readToken(text, { purpose: confirming, signer })
  return named === null ? null : readLinkId(named)
}

/** The id, or `linkIdOf`, in front of its signature for this purpose; null when we did not make the token. */
export function readToken(text: string, { purpose, signer }: { purpose: string; signer: Signer }): string | null {
  const [found, named = '', signature = ''] = token.exec(text) ?? []
  if (found === undefined) return null
  return signer.isSigned(purpose, named, signature) ? named : null
}

/** The contact whose alerts a link ends, at the address it was mailed to; null when we did not make it. */
export function readUnsubscribeLink(link: { contactId: string; signature: string }, signer: Signer): Addressee | null {
  return signer.isSigned(unsubscribing, link.contactId, link.signature) ? readLinkId(link.contactId) : null
}
