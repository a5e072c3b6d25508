import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { expectations, ways } from '#kinds/web/web-options.ts'

export const grpcOptions = z
  .strictObject({
    service: text({ min: 1, max: 256 })
      .optional()
      .describe('The service whose health is asked for, such as shop.v1.Orders. Default: the server as a whole.'),
    certificate_authorities: ways.certificate_authorities,
    client_certificate: ways.client_certificate,
    accept_any_certificate: ways.accept_any_certificate.describe(
      'Whether the certificate need not be valid for the host. Who is on the way could then read what is sent. Default false.',
    ),
    max_latency_ms: expectations.max_latency_ms.describe(
      'Degraded when a right answer took more than so many milliseconds.',
    ),
  })
  .describe('A gRPC server: its health service says that it serves.')
export type GrpcOptions = z.infer<typeof grpcOptions>
