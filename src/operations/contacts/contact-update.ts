import { z } from 'zod'
import { findContactKind } from '#contacts/index.ts'
import { chosenRules } from '#core/contacts/alert-rules.ts'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { type ContactChange, contactChangeSchema, contactSchema } from '#core/contacts/contact-record.ts'
import { type Fields, fail, invalidFields } from '#core/language/error.ts'
import { isSameJson } from '#core/language/json-path.ts'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { confirmationDays } from '#core/contacts/notice.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import { type ContactUpdate, updateContact } from '#store/contacts/contact-changes.ts'
import { type Contact, findContact, holdContact } from '#store/contacts/contacts.ts'
import { openAddress, sealAddress } from '#store/contacts/sealed-addresses.ts'
import { openOptions, sealOptions } from '#store/contacts/sealed-options.ts'
import type { Transaction } from '#store/database/database.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { allowedKinds, planProblem } from './allowed-kinds.ts'
import { askByMail } from './asking-mails.ts'
import { kindRuleProblems } from './kind-rules.ts'
import { type DecidedTemplates, decideTemplates } from './contact-templates.ts'
import { findContactOf, toContactRecord } from './contacts.ts'
import { decideKindOptions } from './kind-options.ts'

const update = defineOperation({
  name: 'update_alert_channel',
  method: 'PATCH',
  path: '/alert-channels/{id}',
  scope: 'write',
  subject: 'alert_channel',
  tag: 'Account',
  summary: 'Change a contact, or switch it on or off',
  description:
    'Omitted fields stay as they are. `kind` cannot change. `options` are replaced as a whole, but omitted secret ' +
    'ones are kept unless the address among them changes; `null` clears them. `alert_rules` and `templates` are ' +
    'replaced as a whole; `null` resets them. An email contact with a new address is unconfirmed: a mail asks its ' +
    'reader, within the limits of new contacts, and earlier links stop working. A webhook keeps its signing ' +
    'secret. Switching a contact on clears its failures; if the reader of an email contact switched it off, they ' +
    'are asked again, and alerts start once they open the link.',
  body: { schema: contactChangeSchema, isRequired: true, schemaName: 'AlertChannelChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The contact.', schema: z.strictObject({ data: contactSchema }) },
  find: findContactOf,
  run: async (context, { target, body }) => {
    const { caller, services } = context
    const of = { workspaceId: caller.workspaceId, id: target.id }
    // No lock is held while a thread reads templates.
    const asked = { kind: target.kind, given: body.templates, held: target.templates }
    const templates = await decideTemplates(asked, services)
    const changed = await services.database.transaction((tx) => change(tx, context, { of, body, templates }))
    return { status: 200, body: { data: toContactRecord(changed, context) } }
  },
})

export const contactUpdateOperations = [update]

type Wanted = { of: { workspaceId: string; id: string }; body: ContactChange; templates: DecidedTemplates }

/** Decided on what the transaction holds, so that two changes at once both take effect. */
async function change(tx: Transaction, context: Context, { of, body, templates }: Wanted): Promise<Contact> {
  const contact = (await holdContact(tx, of)) ?? notFound()
  const decided = await decide(tx, context, { contact, body, templates })
  if (Object.keys(decided).length === 0) {
    context.noteChange('nothing')
    return contact
  }
  if (!(await updateContact(tx, of, decided))) return notFound()
  const changed = (await findContact(tx, of)) ?? notFound()
  if (decided.confirmationExpiresAt !== undefined)
    await askByMail(tx, { ...changed, source: context.source }, context.now)
  return changed
}

type Deciding = { contact: Contact; body: ContactChange }
type DecidingAll = Deciding & { templates: DecidedTemplates }

/** What the change writes; nothing for what is as it was. Throws with every field to blame. */
async function decide(
  tx: Transaction,
  context: Context,
  { contact, body, templates: decidedTemplates }: DecidingAll,
): Promise<ContactUpdate> {
  const kindFields: Fields = body.kind === undefined || body.kind === contact.kind ? {} : { kind: ['Cannot change.'] }
  const { fields, ...places } = await decidePlace(tx, context, { contact, body })
  const { templates = contact.templates } = decidedTemplates
  const ruleFields = kindRuleProblems(contact.kind, body.alert_rules)
  const problems = { ...fields, ...decidedTemplates.fields, ...ruleFields, ...kindFields }
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  const { enabled, name = contact.name, tags = contact.tags } = body
  const rules = chosenRules(body.alert_rules)
  const isSwitched = enabled !== undefined && enabled !== contact.isEnabled
  const isAsked = asksReader(contact, { isMoved: places.address !== undefined, isSwitchedOn: isSwitched && enabled })
  return {
    ...places,
    ...(name === contact.name ? {} : { name }),
    ...(body.alert_rules === undefined || canonicalJson(rules) === canonicalJson(contact.rules) ? {} : { rules }),
    ...(isSameJson(templates, contact.templates) ? {} : { templates }),
    ...(isSameJson(tags, contact.tags) ? {} : { tags }),
    ...(isSwitched ? { switched: enabled ? ('on' as const) : ('off' as const) } : {}),
    ...(isAsked ? { confirmationExpiresAt: new Date(context.now.getTime() + confirmationDays * dayMs) } : {}),
  }
}

type Place = Pick<ContactUpdate, 'address' | 'options'> & { fields: Fields }

/** Where alerts go from now on, and how; looked at only where it changes, so that a contact can be sent back. */
async function decidePlace(tx: Transaction, context: Context, { contact, body }: Deciding): Promise<Place> {
  const { services, caller } = context
  const { secrets } = services
  const { id } = contact
  const { destination } = body
  const isMoved = destination !== undefined && destination !== openAddress(contact, secrets)
  if (!isMoved && body.options === undefined) return { fields: {} }
  const kind = findContactKind(contact.kind)
  if (kind === null) return { fields: { kind: ['This release does not know this kind of contact.'] } }
  const held = openOptions(contact, secrets)
  const { fields: optionFields, ...options } = decideKindOptions(kind, { given: body.options, held }, services)
  const isSet = canonicalJson(options) !== canonicalJson(held)
  if (!isMoved && !isSet) return { fields: optionFields }
  const problem = isMoved ? kind.destinationProblem(destination, services.isForbiddenAddress) : null
  const allowed = await allowedKinds(tx, { services, workspaceId: caller.workspaceId })
  const joined = joinOptions(options.publicOptions, options.secretOptions)
  const fields = {
    ...planProblem(kind, allowed),
    ...(problem === null ? {} : { destination: [problem] }),
    ...optionFields,
  }
  if (Object.keys(fields).length > 0) return { fields }
  return {
    fields,
    ...(isMoved ? { address: sealAddress({ id, kind: kind.name, destination }, secrets) } : {}),
    ...(isSet
      ? { options: { ...sealOptions({ id, ...options }, secrets), host: kind.addressOf(joined)?.host ?? null } }
      : {}),
  }
}

/** Readers of another address are asked, and those who ended their alerts, or may have: only they can agree. */
function asksReader(
  { kind, isConfirmed, switchedOffBy }: Contact,
  { isMoved, isSwitchedOn }: { isMoved: boolean; isSwitchedOn: boolean },
): boolean {
  if (contactTraitsOf(kind)?.needsConfirmation !== true) return false
  if (isMoved) return true
  return isSwitchedOn && !(isConfirmed && (switchedOffBy === 'people' || switchedOffBy === 'service'))
}

function notFound(): never {
  throw fail('not_found', 'There is no such contact in this workspace.')
}
