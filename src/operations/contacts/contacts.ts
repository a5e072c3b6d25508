import { dayMs } from '#core/language/utc-day.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AnyContactKind } from '#contacts/contact.ts'
import { findContactKind } from '#contacts/index.ts'
import type { MessageTemplates } from '#core/contacts/message-templates.ts'
import type { ContactOptions } from '#core/contacts/contact-options.ts'
import { signingKeyBytes, signingSecretOf } from '#contacts/webhook.ts'
import {
  type ContactInput,
  type ContactRecord,
  contactInputSchema,
  contactLimit,
  contactSchema,
} from '#core/contacts/contact-record.ts'
import { shownAddress } from '#core/contacts/shown-address.ts'
import { type Fields, fail, invalidFields } from '#core/language/error.ts'
import { confirmationDays } from '#core/contacts/notice.ts'
import { chosenRules } from '#core/contacts/alert-rules.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import { type Contact, deleteContact, findContact, insertContact, listContacts } from '#store/contacts/contacts.ts'
import { sealSigningSecret } from '#store/contacts/signing-secrets.ts'
import { openAddress, sealAddress } from '#store/contacts/sealed-addresses.ts'
import { sealOptions } from '#store/contacts/sealed-options.ts'
import { testContact } from './contact-test.ts'
import { allowedKinds, planProblem } from './allowed-kinds.ts'
import { decideKindOptions } from './kind-options.ts'
import { decideTemplates } from './contact-templates.ts'
import { askByMail } from './asking-mails.ts'
import { kindRuleProblems } from './kind-rules.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const tag = 'Account'

const list = defineOperation({
  name: 'list_alert_channels',
  method: 'GET',
  path: '/alert-channels',
  scope: 'read',
  tag,
  summary: 'List the contacts that alerts are sent to',
  errors: [401],
  success: {
    status: 200,
    description: 'Contacts, oldest first.',
    schema: z.strictObject({ data: z.array(contactSchema) }),
  },
  run: async (context) => {
    const { caller, services } = context
    const contacts = await listContacts(services.database, caller.workspaceId)
    return { status: 200, body: { data: contacts.map((contact) => toContactRecord(contact, context)) } }
  },
})

const create = defineOperation({
  name: 'create_alert_channel',
  method: 'POST',
  path: '/alert-channels',
  scope: 'write',
  subject: 'alert_channel',
  tag,
  summary: 'Add a contact',
  description:
    'An email contact gets alerts only after its confirmation link was opened, which is valid for 7 days. If the ' +
    'installation has a mail server, the link goes to the address. If not, no mail is sent, neither the link nor ' +
    'alerts: both are kept in the `outbox` of its data, and owners find the link at the contact in the console. At ' +
    'most 3 unopened mails a day go to an address and 100 from a workspace, or 3 from a workspace that no person ' +
    'has claimed and that never paid; more are refused with `rate_limited`. A webhook is signed as Standard ' +
    'Webhooks describes; `signing_secret` is shown only here, once. Pay-as-you-go workspaces can use `email` and ' +
    '`webhook`.',
  body: { schema: contactInputSchema, isRequired: true, schemaName: 'AlertChannelInput' },
  makes: 'contacts',
  errors: [401, 403, 422],
  success: {
    status: 201,
    description: 'The contact.',
    schema: z.strictObject({ data: contactSchema, signing_secret: z.string().optional() }),
  },
  run: async (context, { body }) => {
    const choice = await chooseKind(context, body)
    const { kind } = choice
    const signingSecret = kind.isSigned ? signingSecretOf(randomBytes(signingKeyBytes)) : null
    const contact = await addContact(context, { ...choice, body, signingSecret })
    const shown = signingSecret === null ? {} : { signing_secret: signingSecret }
    return { status: 201, body: { data: toContactRecord(contact, context), ...shown } }
  },
})

const remove = defineOperation({
  name: 'delete_alert_channel',
  method: 'DELETE',
  path: '/alert-channels/{id}',
  scope: 'write',
  subject: 'alert_channel',
  tag,
  summary: 'Delete a contact',
  description: 'Pending alerts to it are dropped. A monitor that alerted only this contact then alerts all contacts.',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The contact was deleted.' },
  find: findContactOf,
  run: async ({ caller, services }, { target }) => {
    await services.database.transaction((tx) => deleteContact(tx, { workspaceId: caller.workspaceId, id: target.id }))
    return { status: 204, body: undefined }
  },
})

const test = testContact(findContactOf)

export const contactOperations = [list, create, remove, test]

/** The contact that a path names. */
export async function findContactOf(
  { caller, services }: Context,
  { id = '' }: Record<string, string>,
): Promise<Contact> {
  const contact = await findContact(services.database, { workspaceId: caller.workspaceId, id })
  if (contact === null) throw fail('not_found', 'There is no such contact in this workspace.')
  return contact
}

type Choice = { kind: AnyContactKind; options: ContactOptions; templates: MessageTemplates | null }

/** The kind asked for, if the plan has it and takes destination and options. All problems are told at once. */
async function chooseKind({ caller, services }: Context, body: ContactInput): Promise<Choice> {
  const allowed = await allowedKinds(services.database, { services, workspaceId: caller.workspaceId })
  const kind = findContactKind(body.kind)
  if (kind === null) throw invalidFields({ kind: [`Must be one of ${allowed.join(', ')}.`] })
  const problem = kind.destinationProblem(body.destination, services.isForbiddenAddress)
  const { fields: optionFields, ...options } = decideKindOptions(kind, { given: body.options, held: null }, services)
  const asked = { kind: kind.name, given: body.templates, held: null }
  const { fields: templateFields, templates = null } = await decideTemplates(asked, services)
  const fields: Fields = {
    ...planProblem(kind, allowed),
    ...(problem === null ? {} : { destination: [problem] }),
    ...optionFields,
    ...templateFields,
    ...kindRuleProblems(kind.name, body.alert_rules),
  }
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
  return { kind, options, templates }
}

type Addition = Choice & { body: ContactInput; signingSecret: string | null }

/** The contact and the mail that asks its owner, in one transaction. */
async function addContact(
  { caller, services, now, source, noteChange }: Context,
  { kind, body, options, templates, signingSecret }: Addition,
): Promise<Contact> {
  const { secrets } = services
  const id = randomUUID()
  const contact = {
    id,
    workspaceId: caller.workspaceId,
    name: body.name,
    kind: kind.name,
    addressNumber: 0,
    ...sealAddress({ id, kind: kind.name, destination: body.destination }, secrets),
    ...sealOptions({ id, ...options }, secrets),
    host: kind.addressOf(joinOptions(options.publicOptions, options.secretOptions))?.host ?? null,
    isEnabled: true,
    isConfirmed: !kind.needsConfirmation,
    switchedOffBy: null,
    rules: chosenRules(body.alert_rules),
    tags: body.tags ?? [],
    templates,
    signingSecrets: signingSecret === null ? [] : [sealSigningSecret({ id, secret: signingSecret }, secrets)],
  }
  noteChange({ id: contact.id, details: { kind: kind.name } })
  const confirmationExpiresAt = kind.needsConfirmation ? new Date(now.getTime() + confirmationDays * dayMs) : null
  await services.database.transaction(async (tx) => {
    if (!(await insertContact(tx, { ...contact, confirmationExpiresAt })))
      throw fail('limit_reached', `A workspace can have at most ${contactLimit} contacts.`)
    if (!kind.needsConfirmation) return
    await askByMail(tx, { ...contact, source }, now)
  })
  return contact
}

/** Whoever may only look at a contact sees no address that is a secret. */
export function toContactRecord(contact: Contact, { caller, services }: Context): ContactRecord {
  return {
    id: contact.id,
    name: contact.name,
    kind: contact.kind,
    destination: caller.scope === 'read' ? shownAddress(contact) : openAddress(contact, services.secrets),
    enabled: contact.isEnabled,
    confirmed: contact.isConfirmed,
    ...(findContactKind(contact.kind)?.hasOptions === true ? { options: contact.options } : {}),
    ...(contact.rules === null ? {} : { alert_rules: contact.rules }),
    ...(contact.templates === null ? {} : { templates: contact.templates }),
    ...(contact.tags.length === 0 ? {} : { tags: contact.tags }),
  }
}
