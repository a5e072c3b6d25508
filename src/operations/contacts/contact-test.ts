import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findContactKind } from '#contacts/index.ts'
import { linkIdOf, unsubscribeUrl } from '#contacts/links.ts'
import { templateValues } from '#contacts/wording/template-values.ts'
import { type Attempt, attemptTimeoutMs } from '#contacts/send.ts'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { alertTestSchema } from '#core/contacts/contact-record.ts'
import { testAlert } from '#core/contacts/alerting.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import { type AppError, fail } from '#core/language/error.ts'
import type { Contact } from '#store/contacts/contacts.ts'
import { noteContactWorking } from '#store/contacts/contact-states.ts'
import { openAddress } from '#store/contacts/sealed-addresses.ts'
import { openOptions } from '#store/contacts/sealed-options.ts'
import { openSigningSecrets } from '#store/contacts/signing-secrets.ts'
import { isOfStranger } from '#store/people/workspace-moves.ts'
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
    takesLong: true,
    tag: 'Account',
    summary: 'Send a test alert to one contact',
    description:
      'One attempt of at most 15 seconds. A refusal says why: `claim_required` (no person has claimed ' +
      'the workspace, and it never paid), `contact_unconfirmed`, `contact_disabled`, or `delivery_failed` with the reason ' +
      'in `message`.',
    errors: [401, 403, 404, 422],
    success: { status: 200, description: 'It was accepted.', schema: z.strictObject({ data: alertTestSchema }) },
    find,
    run: async ({ caller, services, now }, { target }) => {
      if (await services.database.transaction((tx) => isOfStranger(tx, caller.workspaceId))) throw unclaimed()
      if (contactTraitsOf(target.kind)?.via === 'mail' && !services.sendsMail) throw mailKept()
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

/** A stranger could have us call or write to anybody, at once and as often as writes are allowed. */
function unclaimed(): AppError {
  const message =
    'Test alerts leave a workspace once a person has claimed it or it was paid for. Alerts of its monitors leave it all ' +
    'the same.'
  return fail('claim_required', message)
}

/** A mail that is kept reaches nobody, whatever the contact. */
function mailKept(): AppError {
  const message =
    'This installation sends no mail: it would be kept in the folder outbox of its data. Whoever runs it sets ' +
    'PERIGEE_SMTP_URL.'
  return fail('delivery_failed', message)
}

async function attemptTest(services: Services, contact: Contact, now: Date): Promise<Attempt> {
  const kind = findContactKind(contact.kind)
  if (kind === null) throw new Error(`The contact ${contact.id} is of the unknown kind ${contact.kind}.`)
  const { publicUrl, secrets, carriers } = services
  const alert = testAlert(now)
  const { templates } = contact
  const isTemplated = templates !== null && kind.isForPrograms !== true
  const rendered = isTemplated ? await services.renderTemplates(templates, templateValues(alert, publicUrl)) : null
  const { publicOptions, secretOptions } = openOptions(contact, secrets)
  const context = {
    deliveryId: randomUUID(),
    sentAt: now,
    destination: openAddress(contact, secrets),
    options: joinOptions(publicOptions, secretOptions),
    signingSecrets: openSigningSecrets(contact, secrets),
    publicUrl,
    unsubscribeUrl: unsubscribeUrl(publicUrl, linkIdOf(contact), secrets),
    ...(rendered === null ? {} : { words: rendered.words }),
  }
  return kind.attempt(alert, context, { carriers, signal: AbortSignal.timeout(attemptTimeoutMs) })
}
