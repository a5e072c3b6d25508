// What a webhook that subscribes to a status page gets, as the API's document describes it.
import { z } from 'zod'
import { postStates } from './status-page.ts'

export const statusMessageTypes = [
  'status.incident_opened',
  'status.incident_resolved',
  'status.post',
  'status.maintenance_planned',
  'status.maintenance_changed',
  'status.maintenance_cancelled',
  'status.maintenance_begun',
  'status.maintenance_ended',
] as const

const incidentSchema = z.strictObject({
  id: z.uuid(),
  monitor_name: z.string().describe('As the page shows it.'),
  started_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
})

const postSchema = z.strictObject({
  id: z.uuid(),
  state: z.enum(postStates).nullable().describe('Null of an announcement.'),
  title: z.string().nullable(),
  body: z.string(),
  posted_at: z.iso.datetime(),
})

const maintenanceSchema = z.strictObject({
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  monitors: z.array(z.string()).describe('Names, as the page shows them.'),
})

export const statusMessageSchema = z.strictObject({
  type: z.enum(statusMessageTypes),
  timestamp: z.iso.datetime(),
  data: z.strictObject({
    page: z.strictObject({ id: z.uuid(), title: z.string(), url: z.string() }),
    incident: incidentSchema.nullable(),
    post: postSchema.nullable(),
    maintenance: maintenanceSchema.nullable(),
  }),
})
export type StatusMessage = z.infer<typeof statusMessageSchema>
