import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findContactKind } from '#contacts/index.ts'
import { unsubscribeUrl } from '#contacts/links.ts'
import { type Attempt, attemptTimeoutMs } from '#contacts/send.ts'
import { alertTestSchema } from '#core/contacts/contact-record.ts'
import { testAlert } from '#core/contacts/alerting.ts'
import { fail } from '#core/language/error.ts'
import type { Contact } from '#store/contacts/contacts.ts'
import { noteContactWorking } from '#store/contacts/contact-states.ts'
import { type AnyOperation, type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Find = (context: Context, path: Record<string, string>) => Promise<Contact>

/** One attempt while the caller waits: they want to see whether it arrives, and a later retry would tell them nothing. */
export function testContact(find: Find): AnyOperation {
  return defineOperation({
    name: 'test_alert_channel',
    method: 'POST',
    path: '/alert-channels/{id}/test',
    scope: 'write',
    subject: 'alert_channel',
    tag: 'Account',
    summary: 'Send a test alert to one contact',
    description:
      'One attempt of at most 15 seconds. 422 says what stood in the way: `contact_unconfirmed`, `contact_disabled`, ' +
      'or `delivery_failed` with the reason in `message`.',
    errors: [401, 403, 404, 422],
    success: { status: 200, description: 'It was accepted.', schema: z.strictObject({ data: alertTestSchema }) },
    find,
    run: async ({ services, now }, { target }) => {
      if (!target.isConfirmed)
        throw fail('contact_unconfirmed', 'The contact is not confirmed yet: open the link that was mailed to it.')
      if (!target.isEnabled) throw fail('contact_disabled', 'The contact is switched off.')
      const attempt = await attemptTest(services, target, now)
      if (attempt.outcome !== 'delivered')
        throw fail('delivery_failed', `The test alert was not accepted. ${attempt.error}`.trimEnd())
      await noteContactWorking(services.database, target.id)
      const sent = { delivered: true, alert_channel_id: target.id, sent_at: now.toISOString() }
      return { status: 200, body: { data: { ...sent, status_code: attempt.statusCode } } }
    },
  })
}

async function attemptTest(services: Services, contact: Contact, now: Date): Promise<Attempt> {
  const kind = findContactKind(contact.kind)
  if (kind === null) throw new Error(`The contact ${contact.id} is of the unknown kind ${contact.kind}.`)
  const { publicUrl, secrets, carriers } = services
  const context = {
    deliveryId: randomUUID(),
    sentAt: now,
    destination: contact.destination,
    options: {},
    signingSecrets: contact.signingSecrets.map((secret) => secrets.decrypt(secret)),
    publicUrl,
    unsubscribeUrl: unsubscribeUrl(publicUrl, contact.id, secrets),
  }
  return kind.attempt(testAlert(now), context, { carriers, signal: AbortSignal.timeout(attemptTimeoutMs) })
}
