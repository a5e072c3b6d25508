import { type Addressee, type Signer, readLinkId } from './links.ts'

const unsubscribing = 'report unsubscription'
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Ends a report to one reader: a page for people, one POST for mail programs (RFC 8058). `publicUrl` has no final slash,
 * `contactId` is a `linkIdOf`.
 */
export function endReportUrl(
  publicUrl: string,
  { reportId, contactId }: { reportId: string; contactId: string },
  signer: Signer,
): string {
  const signature = signer.sign(unsubscribing, `${reportId}/${contactId}`)
  return `${publicUrl}/report-mail/unsubscribe/${reportId}/${contactId}/${signature}`
}

export type ReportLink = { reportId: string; contactId: string; signature: string }

/** The report and its reader at the address it was mailed to; null when we did not make the link. */
export function readReportLink(
  { reportId, contactId, signature }: ReportLink,
  signer: Signer,
): { reportId: string; addressee: Addressee } | null {
  if (!signer.isSigned(unsubscribing, `${reportId}/${contactId}`, signature)) return null
  const addressee = readLinkId(contactId)
  return addressee === null || !uuid.test(reportId) ? null : { reportId, addressee }
}
