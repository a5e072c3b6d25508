import { incidentAssignedMail } from '#contacts/mails/incident-mails.ts'
import { judgeMail } from '#contacts/judge.ts'
import { confirmationUrl, linkIdOf, unsubscribeUrl } from '#contacts/links.ts'
import type { MailMessage } from '#contacts/message.ts'
import {
  confirmationMail,
  contactDisabledMail,
  locationMissingMail,
  locationNetworksMail,
  type NetworkTurn,
  operatorTroublesMail,
} from '#contacts/notices.ts'
import { personMail } from '#contacts/mails/person-mails.ts'
import { attemptTimeoutMs, sendMail } from '#contacts/send.ts'
import { type Notice, noticeSchema } from '#core/contacts/notice.ts'
import { findLinkedContact } from '#store/contacts/contact-states.ts'
import { findAssigned } from '#store/incidents/assignment.ts'
import { findPersonByEmail } from '#store/people/people.ts'
import { openPersonMail } from '#store/people/person-mails.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import { composeRenewalNotice } from '#jobs/money/renewal-notices.ts'
import { composeReport } from '#jobs/reports.ts'
import { composeSubscription } from '#jobs/status-news.ts'

type NetworkNotice = Extract<Notice, { notice: 'location_network' | 'location_networks' }>

const reasons = {
  gone: 'Its address answered that it no longer exists (410).',
  failing: 'It has not accepted anything for three days.',
} as const

/** Sends a mail of the service itself. Throws when it is worth another try; the queue tries again for a day. */
export async function notify(payload: unknown, parts: JobParts, stopping: AbortSignal): Promise<void> {
  const notice = noticeSchema.parse(payload)
  const message = await composeNotice(notice, parts)
  if (message === null) return
  const signal = AbortSignal.any([AbortSignal.timeout(attemptTimeoutMs), stopping])
  const attempt = await sendMail(message, judgeMail, { carriers: parts.carriers, signal })
  if (attempt.outcome === 'delivered') return
  if (attempt.outcome === 'try_again') throw new Error(`A mail could not be sent: ${attempt.error}`)
  parts.log.warn('A mail was permanently refused.', { notice: notice.notice, reason: attempt.error })
}

/** Null when the occasion is gone: the contact was deleted, confirmed, moved to another address or unsubscribed. */
async function composeNotice(notice: Notice, parts: JobParts): Promise<MailMessage | null> {
  if (notice.notice === 'person_mail') return composePersonMail(notice.sealed, parts)
  if (notice.notice === 'location_missing') {
    const { operatorEmail: to, publicUrl } = parts
    const { location, seen_at: seenAt, monitors } = notice
    return to === null ? null : locationMissingMail({ to, location, seenAt, monitors, publicUrl })
  }
  if (notice.notice === 'location_network' || notice.notice === 'location_networks') {
    const { operatorEmail: to, publicUrl } = parts
    return to === null ? null : locationNetworksMail({ to, locations: networkTurnsOf(notice), publicUrl })
  }
  if (notice.notice === 'operator_troubles') {
    const { operatorEmail: to, publicUrl } = parts
    return to === null ? null : operatorTroublesMail({ to, troubles: notice.troubles, publicUrl })
  }
  if (notice.notice === 'confirm_subscription') return composeSubscription(notice.subscriber_id, parts)
  if (notice.notice === 'incident_assigned') return composeAssigned(notice, parts)
  if (notice.notice === 'report') return composeReport(notice, parts)
  if ('reader' in notice) return composeRenewalNotice(notice, parts)
  return composeContactNotice(notice, parts)
}

async function composeAssigned(
  notice: Extract<Notice, { notice: 'incident_assigned' }>,
  { database, publicUrl }: JobParts,
): Promise<MailMessage | null> {
  const { incident_id: incidentId, person_id: personId } = notice
  const assigned = await findAssigned(database, { incidentId, personId })
  return assigned === null ? null : incidentAssignedMail({ ...assigned, url: `${publicUrl}/incidents/${incidentId}` })
}

function networkTurnsOf(notice: NetworkNotice): NetworkTurn[] {
  if (notice.notice === 'location_networks')
    return notice.locations.map(({ lost_at: lostAt, ...location }) => ({ ...location, lostAt }))
  const { location, lost_at: lostAt, monitors } = notice
  return [{ ...location, lostAt, monitors }]
}

async function composeContactNotice(
  notice: Extract<Notice, { notice: 'confirm_contact' | 'contact_disabled' }>,
  { database, secrets, publicUrl }: JobParts,
): Promise<MailMessage | null> {
  const contact = await findLinkedContact(database, notice.contact_id)
  if (contact === null) return null
  switch (notice.notice) {
    case 'confirm_contact': {
      if (contact.isConfirmed || (notice.address_number ?? 0) !== contact.addressNumber) return null
      const confirmUrl = confirmationUrl(publicUrl, linkIdOf(contact), secrets)
      return confirmationMail({ to: contact.destination, confirmUrl, publicUrl })
    }
    case 'contact_disabled': {
      const reader = await findLinkedContact(database, notice.reader_id)
      if (reader === null || !reader.isEnabled || !reader.isConfirmed) return null
      return contactDisabledMail({
        to: reader.destination,
        contact,
        reason: reasons[notice.reason],
        publicUrl,
        unsubscribeUrl: unsubscribeUrl(publicUrl, linkIdOf(reader), secrets),
      })
    }
  }
}

/** Null when the link has expired, and when the address that asked for a link to sign in belongs to no person. */
async function composePersonMail(sealed: string, parts: JobParts): Promise<MailMessage | null> {
  const { expires_at: expiresAt, content } = openPersonMail(sealed, parts.secrets)
  if (new Date(expiresAt) <= parts.now()) return null
  const isForPerson = content.mail === 'sign_in_link'
  if (isForPerson && (await findPersonByEmail(parts.database, content.to)) === null) return null
  return personMail(content, parts.publicUrl)
}
