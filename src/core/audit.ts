import { z } from 'zod'

/** Who changes things. `operator` is whoever runs commands on the machine, `system` the service itself. */
export const actorKinds = ['person', 'token', 'agent', 'operator', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

/** Shown beside what was done. `id` is null where nothing has one. */
export type Actor = { kind: ActorKind; id: string | null; name: string }

/** What is changed. */
export type AuditSubject =
  | 'workspace'
  | 'monitor'
  | 'incident'
  | 'alert_channel'
  | 'api_token'
  | 'agent'
  | 'member'
  | 'invitation'
  | 'status_page'
  | 'maintenance_window'

/** Names of fields, roles, plans and counts: never the values of what a person or program sent. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** An entry of the audit log, as the console shows it. */
export const auditEntrySchema = z.strictObject({
  id: z.uuid(),
  at: z.iso.datetime(),
  actor: z.strictObject({ kind: z.enum(actorKinds), id: z.string().nullable(), name: z.string() }),
  action: z.string().describe('The name of the operation, such as `create_monitor`.'),
  target: z.strictObject({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntryRecord = z.infer<typeof auditEntrySchema>

/** How long entries are kept. */
export const auditDays = 400
