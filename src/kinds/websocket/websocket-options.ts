import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { expectedMessage } from '#kinds/talk/expected-message.ts'
import { expectations, ways } from '#kinds/web/web-options.ts'

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/

export const websocketOptions = z
  .strictObject({
    send: text({ min: 1, max: 4096 })
      .optional()
      .describe(
        'A text message that is sent once the connection is open; kept encrypted and never returned. Without it, a ping is sent, or nothing where a message is expected.',
      ),
    expected_message: expectedMessage.expected_message.describe(
      'Text that a message of the server must contain. Other messages before it do not matter.',
    ),
    message_pattern: expectedMessage.message_pattern.describe(
      'Regular expression in the syntax of RE2 that must be found in a message of the server. At most 200 steps long.',
    ),
    subprotocol: z
      .string()
      .regex(token, 'Must be the name of a subprotocol, such as graphql-transport-ws.')
      .optional()
      .describe('The subprotocol that is offered, and that the server must choose (RFC 6455 1.9).'),
    certificate_authorities: ways.certificate_authorities,
    client_certificate: ways.client_certificate,
    accept_any_certificate: ways.accept_any_certificate.describe(
      'Whether the certificate need not be valid for the host. Who is on the way could then read what is sent. Default false.',
    ),
    max_latency_ms: expectations.max_latency_ms.describe(
      'Degraded when a right answer took more than so many milliseconds.',
    ),
  })
  .describe('A WebSocket server: it opens a connection, and answers a ping or sends the message that is expected.')
export type WebsocketOptions = z.infer<typeof websocketOptions>
