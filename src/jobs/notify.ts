import type { MailMessage } from '#contacts/contact.ts'
import { confirmationUrl, unsubscribeUrl } from '#contacts/links.ts'
import { confirmationMail, contactDisabledMail } from '#contacts/notices.ts'
import { attemptTimeoutMs } from '#contacts/send.ts'
import { type Notice, noticeSchema } from '#core/notice.ts'
import { findLinkedContact } from '#store/contact-states.ts'
import type { JobParts } from './parts.ts'

const reasons = {
  gone: 'Its address answered that it is gone for good (410).',
  failing: 'It accepted nothing for three days.',
} as const

/** Sends a mail of the service itself. Throws when it is worth another try; the queue tries again for a day. */
export async function notify(payload: unknown, parts: JobParts, stopping: AbortSignal): Promise<void> {
  const notice = noticeSchema.parse(payload)
  const message = await composeNotice(notice, parts)
  if (message === null) return
  const signal = AbortSignal.any([AbortSignal.timeout(attemptTimeoutMs), stopping])
  const attempt = await parts.carriers.sendMail(message, signal)
  if (attempt.isDelivered) return
  if (attempt.isPermanent !== true) throw new Error(`A mail could not be sent: ${attempt.error}`)
  parts.log.warn('A mail was refused for good.', { ...notice, reason: attempt.error })
}

/** Null when the occasion is gone: the contact was deleted, confirmed or unsubscribed meanwhile. */
async function composeNotice(notice: Notice, { database, secrets, publicUrl }: JobParts): Promise<MailMessage | null> {
  const contact = await findLinkedContact(database, notice.contact_id)
  if (contact === null) return null
  switch (notice.notice) {
    case 'confirm_contact': {
      if (contact.isConfirmed) return null
      const confirmUrl = confirmationUrl(publicUrl, contact.id, secrets)
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
        unsubscribeUrl: unsubscribeUrl(publicUrl, reader.id, secrets),
      })
    }
  }
}
