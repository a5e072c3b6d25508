import { eventWebhooks } from './openapi-events.ts'
import { type JsonSchema, schemaRoot } from './openapi-schemas.ts'

/** What the service sends by itself (docs/alerts.md, docs/status-pages.md). */
export const webhooks: JsonSchema = {
  alert: {
    post: received({
      operationId: 'receive_alert',
      summary: 'An alert',
      description: 'Sent to contacts of the kind `webhook`.',
      schemaName: 'AlertMessage',
    }),
  },
  status: {
    post: received({
      operationId: 'receive_status',
      summary: 'News of a status page',
      description: 'Sent to webhooks that subscribe to a status page.',
      schemaName: 'StatusMessage',
    }),
  },
  ...eventWebhooks,
}

type Received = { operationId: string; summary: string; description: string; schemaName: string }

function received({ schemaName, description, ...told }: Received): JsonSchema {
  return {
    ...told,
    description:
      `${description} Signed as Standard Webhooks 1.0 says; its \`webhook-id\` is the same on every attempt. Types and ` +
      'members may be added at any time.',
    security: [],
    parameters: Object.values(webhookParameters()),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: schemaRoot + schemaName } } },
    },
    responses: {
      '2XX': { description: 'The message arrived.' },
      '410': { description: 'No more messages are sent.' },
      default: { description: 'It is sent again later.' },
    },
  }
}

/** What stands in the headers of every message, by name (Standard Webhooks 1.0). */
export function webhookParameters(): JsonSchema {
  return Object.fromEntries(
    [
      header('webhook-id', 'Of the message: repeats are recognised by it.'),
      header('webhook-timestamp', 'Of this attempt, in seconds since 1970.'),
      header('webhook-signature', '`v1,` and a signature, or several separated by spaces.'),
    ].map((each) => [String(each['name']), each]),
  )
}

function header(name: string, description: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
