import { z } from 'zod'
import { findContactKind } from '#contacts/index.ts'
import { templateValues } from '#contacts/wording/template-values.ts'
import { wordingOf } from '#contacts/wording/wording.ts'
import type { StatusAlert } from '#core/contacts/alerting.ts'
import { contactKindNames } from '#core/contacts/contact-kinds.ts'
import { exampleAlert } from '#core/contacts/example-alert.ts'
import { keptTemplates, messageTemplatesSchema } from '#core/contacts/message-templates.ts'
import { findingFields, templateFields } from '#core/contacts/template-fields.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import { findPastAlert } from '#store/contacts/past-alerts.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { templateRefusal } from './contact-templates.ts'

/** Both templates at their longest, in UTF-8, with room for what JSON escapes. */
const maxBytes = 64 * 1024

const inputSchema = z.strictObject({
  kind: z.string().max(64).describe('Of the contact.'),
  templates: messageTemplatesSchema,
  event: z.enum(['down', 'up']).default('down').describe('What is told of the incident. Default `down`.'),
  incident_id: z.uuid().optional().describe('A past incident of the workspace; without it, one is made up.'),
})

const previewSchema = z.strictObject({
  title: z.string().describe('As it would be told; the built-in words where there is no template, or it failed.'),
  body: z.string().describe('The same, with its lines.'),
  problems: z.strictObject({ title: z.string().optional(), body: z.string().optional() }).describe('Of the templates.'),
})

const preview = defineOperation({
  name: 'preview_alert_templates',
  method: 'POST',
  path: '/alert-channels/preview',
  scope: 'write',
  subject: 'alert_channel',
  changesNothing: true,
  tag: 'Account',
  summary: 'Preview message templates with an incident',
  description: `Nothing is sent or kept. Templates are Liquid. Their fields, texts where nothing else is said: ${listed(templateFields)}. Those of each of \`findings\`: ${listed(findingFields)}.`,
  body: { schema: inputSchema, isRequired: true, schemaName: 'AlertTemplatePreview', maxBytes },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The words.', schema: z.strictObject({ data: previewSchema }) },
  run: async (context, { body: { kind, templates: given, event, incident_id: incidentId } }) => {
    const refusal =
      findContactKind(kind) === null ? `Must be one of ${contactKindNames.join(', ')}.` : templateRefusal(kind)
    if (refusal !== null) throw invalidFields({ kind: [refusal] })
    const { publicUrl, renderTemplates } = context.services
    const alert = await alertFor(context, { type: event === 'up' ? 'monitor.up' : 'monitor.down', incidentId })
    const templates = keptTemplates(given)
    const values = templateValues(alert, publicUrl)
    const outcome = templates === null ? null : await renderTemplates(templates, values)
    const words = outcome === null ? {} : { words: outcome.words }
    const { headline, lead, facts } = wordingOf(alert, { publicUrl, ...words })
    const lines = [lead, ...facts.map(({ label, value }) => `${label}: ${value}`)]
    const data = { title: headline, body: lines.join('\n'), problems: outcome?.problems ?? {} }
    return { status: 200, body: { data } }
  },
})

export const templatePreviewOperations = [preview]

function listed(fields: readonly { name: string; type: string }[]): string {
  return fields.map(({ name, type }) => (type === 'text' ? `\`${name}\`` : `\`${name}\` (${type})`)).join(', ')
}

type Wanted = { type: StatusAlert['type']; incidentId: string | undefined }

async function alertFor({ services, caller, now }: Context, { type, incidentId }: Wanted): Promise<StatusAlert> {
  if (incidentId === undefined) return exampleAlert(type, now)
  const scope = { workspaceId: caller.workspaceId, incidentId }
  const alert = await findPastAlert(services.database, scope, { type, now })
  if (alert === null) throw fail('not_found', 'There is no such incident in this workspace.')
  return alert
}
