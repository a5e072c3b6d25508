// Links in alerts by which the receiver takes an outage on, without signing in.
import { timingSafeEqual } from 'node:crypto'
import { dayMs } from '#core/language/utc-day.ts'
import type { Addressee, Signer } from './links.ts'

/** What a link names: one incident, and the contact at the address that its alert went to. */
export type AcknowledgeLink = { incidentId: string; contact: Addressee; endsAt: Date }

const lifeMs = 7 * dayMs
const linkPurpose = 'incident acknowledgement'
const formPurpose = 'incident acknowledgement form'
const formLifeMs = 10 * 60_000

const uuidBytes = 16
const numberAt = 2 * uuidBytes
const endAt = numberAt + 4
/** A multiple of three, so that in base64url no other text says the same. */
const contentBytes = endAt + 6
const contentLength = (contentBytes / 3) * 4
/** 132 bits of the HMAC: RFC 2104 5 asks for half of it, and a link has to fit into a short message. */
const signatureLength = 22
const wellFormed = new RegExp(`^[\\w-]{${contentLength + signatureLength}}$`)

/** The link in an alert of this time. `publicUrl` has no final slash. */
export function acknowledgeUrl(
  publicUrl: string,
  { incidentId, contact, alertAt }: { incidentId: string; contact: Addressee; alertAt: Date },
  signer: Signer,
): string {
  const endsAt = new Date(alertAt.getTime() + lifeMs)
  return `${publicUrl}/incidents/acknowledge/${tokenOf({ incidentId, contact, endsAt }, signer)}`
}

/** Null when we did not make the token. Whether its time is over is for the caller to see. */
export function readAcknowledgeToken(token: string, signer: Signer): AcknowledgeLink | null {
  if (!wellFormed.test(token)) return null
  const content = token.slice(0, contentLength)
  if (!isSigned(token.slice(contentLength), { purpose: linkPurpose, text: content }, signer)) return null
  const bytes = Buffer.from(content, 'base64url')
  return {
    incidentId: readUuid(bytes, 0),
    contact: { id: readUuid(bytes, uuidBytes), addressNumber: bytes.readUInt32BE(numberAt) },
    endsAt: new Date(bytes.readUIntBE(endAt, 6)),
  }
}

/** What the page of a link puts into its form: good for this link, for ten minutes. */
export function formTokenOf(token: string, now: Date, signer: Signer): string {
  const end = String(now.getTime() + formLifeMs)
  return `${end}.${signatureOf(formPurpose, `${token}:${end}`, signer)}`
}

export function isFormToken(given: string, { token, now }: { token: string; now: Date }, signer: Signer): boolean {
  const [, end = '', signature = ''] = /^([1-9]\d{0,14})\.([\w-]+)$/.exec(given) ?? []
  return isSigned(signature, { purpose: formPurpose, text: `${token}:${end}` }, signer) && now.getTime() < Number(end)
}

function tokenOf({ incidentId, contact, endsAt }: AcknowledgeLink, signer: Signer): string {
  const bytes = Buffer.alloc(contentBytes)
  bytes.set(bytesOfUuid(incidentId), 0)
  bytes.set(bytesOfUuid(contact.id), uuidBytes)
  bytes.writeUInt32BE(contact.addressNumber, numberAt)
  bytes.writeUIntBE(endsAt.getTime(), endAt, 6)
  const content = bytes.toString('base64url')
  return content + signatureOf(linkPurpose, content, signer)
}

function signatureOf(purpose: string, text: string, signer: Signer): string {
  return signer.sign(purpose, text).slice(0, signatureLength)
}

function isSigned(given: string, { purpose, text }: { purpose: string; text: string }, signer: Signer): boolean {
  return signer.signatures(purpose, text).some((whole) => isEqual(given, whole.slice(0, signatureLength)))
}

/** As texts: bits of the last character that no byte holds count too. */
function isEqual(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function bytesOfUuid(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function readUuid(bytes: Buffer, from: number): string {
  const hex = bytes.toString('hex', from, from + uuidBytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
