import type { MessageTemplates, TemplateProblems } from '#core/contacts/message-templates.ts'
import type { ContactRecord } from '#core/contacts/contact-record.ts'
import type { ContactStateRecord, DeliveryRecord } from '#core/contacts/delivery.ts'
import type { ContactKindName } from '#core/contacts/contact-kinds.ts'
import { ask } from './ask.ts'
import { api } from './console.ts'
import type { Schema } from './schema.ts'

export type { ContactRecord, ContactStateRecord, DeliveryRecord, MessageTemplates }

/** What a form says of a contact; `options` only of kinds that have some. */
export type ContactContent = {
  name: string
  destination: string
  options?: Readonly<Record<string, unknown>>
  alert_rules?: Readonly<Record<string, unknown>> | null
  tags?: readonly string[]
}
export type ContactInput = ContactContent & { kind: string }
export type ContactChange = Partial<ContactContent> & { enabled?: boolean; templates?: MessageTemplates | null }
export type TemplatePreviewRequest = {
  kind: string
  templates: MessageTemplates
  event: 'down' | 'up'
  /** Without it, an incident is made up. */
  incident_id?: string
}
export type PreviewedWords = { title: string; body: string; problems: TemplateProblems }
/** The schemas of options by which the API reads what forms send. */
export type ContactForms = Readonly<Record<ContactKindName, { options: Schema }>>
/** `secret` of a kind that signs, else null: it is told this once. */
export type AddedContact = { contact: ContactRecord; secret: string | null }
export type ContactTest = { sent_at: string; status_code: number | null }
export type DeliveryFilter = DeliveryRecord['state'] | 'all'
export type DeliveryPage = { data: DeliveryRecord[]; next_cursor: string | null }

export const readContactForms = (): Promise<ContactForms> => ask('/console/contact-forms.json')

/** Requests about the contacts of a workspace. */
export type ContactsApi = {
  list: () => Promise<ContactRecord[]>
  listStates: () => Promise<ContactStateRecord[]>
  add: (input: ContactInput) => Promise<AddedContact>
  change: (id: string, change: ContactChange) => Promise<ContactRecord>
  remove: (id: string) => Promise<void>
  /** One attempt, of at most 15 seconds; a refusal says why it failed. */
  test: (id: string) => Promise<ContactTest>
  previewTemplates: (request: TemplatePreviewRequest) => Promise<PreviewedWords>
  askReader: (id: string) => Promise<ContactRecord>
  /** The new secret, told this once. */
  replaceSecret: (id: string) => Promise<string>
  /** From "" on, the newest; from a `next_cursor` on, what is older. */
  pageDeliveries: (id: string, state: DeliveryFilter, cursor: string) => Promise<DeliveryPage>
  sendAgain: (id: string, delivery: string) => Promise<unknown>
}

type Made = { data: ContactRecord; signing_secret?: string }

export function contactsApi(workspaceId: string): ContactsApi {
  const { list, post, patch, remove, page } = api(workspaceId)
  return {
    list: () => list('/alert-channels'),
    listStates: () => list('/contact-states'),
    add: async (input) => {
      const { data, signing_secret: secret = null } = await page<Made>('/alert-channels', input)
      return { contact: data, secret }
    },
    change: (id, change) => patch(`/alert-channels/${id}`, change),
    remove: (id) => remove(`/alert-channels/${id}`),
    test: (id) => post(`/alert-channels/${id}/test`, undefined),
    previewTemplates: (request) => post('/alert-channels/preview', request),
    askReader: (id) => post(`/alert-channels/${id}/confirmation`, undefined),
    replaceSecret: async (id) =>
      (await page<{ signing_secret: string }>(`/alert-channels/${id}/signing-secret`, {})).signing_secret,
    pageDeliveries: (id, state, cursor) => {
      const asked = { ...(state === 'all' ? {} : { state }), ...(cursor === '' ? {} : { cursor }) }
      return page(`/alert-channels/${id}/deliveries?${new URLSearchParams(asked).toString()}`)
    },
    sendAgain: (id, delivery) => page(`/alert-channels/${id}/deliveries/${delivery}/resend`, {}),
  }
}
