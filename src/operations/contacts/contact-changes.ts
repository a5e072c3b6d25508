import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { confirmationUrl, linkIdOf } from '#contacts/links.ts'
import { signingKeyBytes, signingSecretOf } from '#contacts/webhook.ts'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { type ContactStateRecord, contactStateSchema, formerSecretHours } from '#core/contacts/delivery.ts'
import { invalidFields } from '#core/language/error.ts'
import { confirmationDays } from '#core/contacts/notice.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Contact } from '#store/contacts/contacts.ts'
import { awaitConfirmation, replaceSigningSecret } from '#store/contacts/contact-changes.ts'
import { type ContactState, listContactStates } from '#store/contacts/contact-list.ts'
import { sealSigningSecret } from '#store/contacts/signing-secrets.ts'
import type { Transaction } from '#store/database/database.ts'
import { findContactOf, toContactRecord } from './contacts.ts'
import { askByMail } from './asking-mails.ts'
import { maySeeMailedLinks } from '#operations/people/mailed-links.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const inConsole = { tag: 'Console', surface: 'console', subject: 'alert_channel' } as const
const one = z.strictObject({ data: contactSchema })

const list = defineOperation({
  ...inConsole,
  name: 'list_contact_states',
  method: 'GET',
  path: '/contact-states',
  scope: 'read',
  summary: 'List the delivery state of every contact, oldest first',
  errors: [401],
  success: { status: 200, description: 'States.', schema: z.strictObject({ data: z.array(contactStateSchema) }) },
  run: async (context) => {
    const { caller, services } = context
    const states = await listContactStates(services.database, caller.workspaceId)
    const isLinkShown = await maySeeMailedLinks(context)
    const data = states.map((state) => withLink(state, isLinkShown ? linkOf(state, context) : null))
    return { status: 200, body: { data } }
  },
})

const confirm = defineOperation({
  ...inConsole,
  name: 'resend_confirmation',
  method: 'POST',
  path: '/alert-channels/{id}/confirmation',
  scope: 'write',
  summary: 'Make a new confirmation link for a contact',
  errors: [401, 403, 404, 422],
  success: {
    status: 200,
    description: 'The link was made. If this installation sends mail, it is on its way.',
    schema: one,
  },
  find: findContactOf,
  run: async (context, { target }) => {
    if (target.isConfirmed) throw invalidFields({ id: ['Is already confirmed.'] })
    await context.services.database.transaction((tx) => askReader(tx, context, target))
    return { status: 200, body: { data: await shown(context, target) } }
  },
})

const rotate = defineOperation({
  ...inConsole,
  name: 'rotate_signing_secret',
  method: 'POST',
  path: '/alert-channels/{id}/signing-secret',
  scope: 'write',
  summary: 'Replace the signing secret of a webhook',
  description:
    '`signing_secret` is shown only here, once. For 24 hours, messages are signed with both secrets so that the ' +
    'receiver can switch; if you replace it again within that time, the oldest one stops at once.',
  errors: [401, 403, 404, 422],
  success: {
    status: 201,
    description: 'The new secret.',
    schema: z.strictObject({ data: contactSchema, signing_secret: z.string() }),
  },
  find: findContactOf,
  run: async (context, { target }) => {
    const { database, secrets } = context.services
    if (contactTraitsOf(target.kind)?.isSigned !== true)
      throw invalidFields({ id: ['Messages of this kind are not signed.'] })
    const secret = signingSecretOf(randomBytes(signingKeyBytes))
    const formerUntil = new Date(context.now.getTime() + formerSecretHours * 3_600_000)
    await database.transaction((tx) =>
      replaceSigningSecret(tx, {
        id: target.id,
        secret: sealSigningSecret({ id: target.id, secret }, secrets),
        formerUntil,
      }),
    )
    return { status: 201, body: { data: await shown(context, target), signing_secret: secret } }
  },
})

export const contactChangeOperations = [list, confirm, rotate]

function withLink({ shown: state }: ContactState, link: string | null): ContactStateRecord {
  return { ...state, confirmation_url: link }
}

/** The link that its reader is waited for with; null where nobody is. */
function linkOf({ shown: state, addressNumber }: ContactState, { services, now }: Context): string | null {
  const { id, confirmation_expires_at: end } = state
  const isWaiting = end !== null && new Date(end) > now
  return isWaiting ? confirmationUrl(services.publicUrl, linkIdOf({ id, addressNumber }), services.secrets) : null
}

async function askReader(tx: Transaction, { now, source }: Context, contact: Contact): Promise<void> {
  await awaitConfirmation(tx, { id: contact.id, expiresAt: new Date(now.getTime() + confirmationDays * dayMs) })
  await askByMail(tx, { ...contact, source }, now)
}

async function shown(context: Context, { id }: Contact) {
  return toContactRecord(await findContactOf(context, { id }), context)
}
