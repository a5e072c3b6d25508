// Every event that a webhook is told of, by its type, so that a client has a schema for just that one.
import type { AlertType, bundleType } from '#core/contacts/alerting.ts'
import type { StatusMessage } from '#core/status-pages/status-message.ts'
import { type JsonSchema, schemaRoot } from './openapi-schemas.ts'

type EventType = AlertType | typeof bundleType | StatusMessage['type']
/** `schema` is the name of a component. */
type Event = { schema: string; summary: string }

const events: Readonly<Record<EventType, Event>> = {
  'monitor.down': { schema: 'StatusAlert', summary: 'An incident opened' },
  'monitor.up': { schema: 'StatusAlert', summary: 'An incident ended' },
  'monitor.reminder': { schema: 'StatusAlert', summary: 'An incident is still ongoing' },
  'monitor.degraded': { schema: 'DegradedAlert', summary: 'A monitor is degraded' },
  'monitor.degraded_ended': { schema: 'DegradedAlert', summary: 'A monitor is no longer degraded' },
  'monitor.slow': { schema: 'SlowAlert', summary: 'Answers take longer than usual' },
  'monitor.slow_ended': { schema: 'SlowAlert', summary: 'Answers no longer take longer than usual' },
  'monitor.unstable': { schema: 'UnstableAlert', summary: 'Outages begin and end too often to tell of each' },
  'monitor.unstable_ended': { schema: 'UnstableAlert', summary: 'A monitor is stable again' },
  'domain.expiring': { schema: 'DomainAlert', summary: 'A registration of a domain is about to end' },
  'certificate.expiring': { schema: 'CertificateAlert', summary: 'A certificate is about to expire' },
  'vulnerability.found': { schema: 'FindingAlert', summary: 'Software of a monitor has new vulnerabilities' },
  'end_of_life.reached': { schema: 'FindingAlert', summary: 'Software of a monitor gets no more updates' },
  'exposure.reminder': {
    schema: 'ExposureAlert',
    summary: 'Software of a monitor still has exploited vulnerabilities',
  },
  'exposure.ended': { schema: 'ExposureAlert', summary: 'Exploited vulnerabilities of a monitor ended' },
  'slo.burning': { schema: 'SloAlert', summary: 'An error budget is used too fast, or used up' },
  'slo.recovered': { schema: 'SloAlert', summary: 'An error budget is no longer used too fast' },
  'maintenance.started': { schema: 'MaintenanceAlert', summary: 'A maintenance began' },
  'maintenance.ended': { schema: 'MaintenanceAlert', summary: 'A maintenance ended' },
  test: { schema: 'TestAlert', summary: 'A test of the contact' },
  'alerts.bundle': { schema: 'BundleAlert', summary: 'Several alerts as one' },
  'status.incident_opened': { schema: 'StatusMessage', summary: 'A status page shows an incident' },
  'status.incident_resolved': { schema: 'StatusMessage', summary: 'An incident on a status page ended' },
  'status.post': { schema: 'StatusMessage', summary: 'A status page has a new post' },
  'status.maintenance_planned': { schema: 'StatusMessage', summary: 'A status page announces maintenance' },
  'status.maintenance_changed': { schema: 'StatusMessage', summary: 'Announced maintenance was changed' },
  'status.maintenance_cancelled': { schema: 'StatusMessage', summary: 'Announced maintenance was cancelled' },
  'status.maintenance_begun': { schema: 'StatusMessage', summary: 'Announced maintenance began' },
  'status.maintenance_ended': { schema: 'StatusMessage', summary: 'Announced maintenance ended' },
}

const parameters = ['id', 'timestamp', 'signature'].map((name) => ({
  $ref: `#/components/parameters/webhook-${name}`,
}))

/** By the type of the event, which is the member `type` of its body too. */
export const eventWebhooks: JsonSchema = Object.fromEntries(
  Object.entries(events).map(([type, { schema, summary }]) => [
    type,
    {
      post: {
        operationId: `receive_${type.replaceAll('.', '_')}`,
        summary,
        description: `The message of \`${schema === 'StatusMessage' ? 'status' : 'alert'}\` that has this \`type\`.`,
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type, schema) } } },
        responses: { '2XX': { description: 'The message arrived.' } },
      },
    },
  ]),
)

/** The schema of all events of its sort, narrowed to this one. */
function bodyOf(type: string, schema: string): JsonSchema {
  return { $ref: schemaRoot + schema, properties: { type: { const: type } } }
}
