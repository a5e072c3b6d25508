import { type ReportLink, readReportLink } from '#contacts/report-links.ts'
import { findLinkedContact, recordContactChange } from '#store/contacts/contact-states.ts'
import { findReport, removeRecipient } from '#store/reports/reports.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Parts = Pick<Services, 'database' | 'secrets'>

/** `unknown`: we did not make the link. `ended`: the report does not go to this address, or is gone. */
export type EndOfReport = { state: 'unknown' | 'ended' } | { state: 'sent'; report: string; destination: string }

export async function readEndOfReport({ database, secrets }: Parts, link: ReportLink): Promise<EndOfReport> {
  const named = readReportLink(link, secrets)
  if (named === null) return { state: 'unknown' }
  const { reportId, addressee } = named
  const [report, contact] = await Promise.all([
    findReport(database, { id: reportId }),
    findLinkedContact(database, addressee.id),
  ])
  if (report === null || contact === null || contact.addressNumber !== addressee.addressNumber)
    return { state: 'ended' }
  if (!report.recipientIds.includes(contact.id)) return { state: 'ended' }
  return { state: 'sent', report: report.name, destination: contact.destination }
}

/** Takes the reader out of the report. Calling it again changes nothing. */
export async function useEndOfReport(parts: Parts, link: ReportLink, now: Date): Promise<EndOfReport> {
  const found = await readEndOfReport(parts, link)
  const named = readReportLink(link, parts.secrets)
  if (found.state !== 'sent' || named === null) return found
  const { id: contactId } = named.addressee
  await parts.database.transaction(async (tx) => {
    if (!(await removeRecipient(tx, { id: named.reportId, contactId }))) return
    await recordContactChange(tx, { id: contactId, at: now, action: 'unsubscribe_report', actor: 'Link in a mail' })
  })
  return { state: 'ended' }
}
