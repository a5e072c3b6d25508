import { z } from 'zod'

/** `operator` is a person who runs commands on the machine, `system` is the service itself. */
export const actorKinds = ['person', 'token', 'agent', 'operator', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

/** The audit log shows the actor beside each action. `id` is null for an operator and for the system. */
export type Actor = { kind: ActorKind; id: string | null; name: string }

/** Kinds of things that an action can change. */
export const auditSubjects = [
  'workspace',
  'monitor',
  'incident',
  'alert_channel',
  'escalation_policy',
  'on_call_schedule',
  'api_token',
  'agent',
  'member',
  'invitation',
  'status_page',
  'maintenance_window',
  'report',
  'slo',
  'saved_view',
  'screen',
  'identity_provider',
  'sign_in_domain',
] as const
export type AuditSubject = (typeof auditSubjects)[number]

/** Names of fields, roles, plans and counts, but never the values that a caller sent: those may be secret. */
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

/** Which entries of the audit log are asked for; what is left out asks for all. */
export type AuditFilter = {
  actor?: readonly ActorKind[] | undefined
  target?: readonly AuditSubject[] | undefined
  targetId?: string | undefined
  /** A part of the name of the actor or of the target. */
  name?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** An entry is deleted after so many days. */
export const auditDays = 400
