import { z } from 'zod'
import { serverAccess, plainText } from '#kinds/talk/access-options.ts'

/** AMQP 0-9-1 4.2.5.3: the longest short string. */
export const maxNameBytes = 255

/** The largest number that the server tells. */
const maxCount = 0xffff_ffff

export const rabbitmqOptions = z
  .strictObject({
    username: serverAccess.username.describe(
      'Who signs in; kept encrypted and never returned. Without it and the password, `guest` does.',
    ),
    password: serverAccess.password,
    queue: plainText(maxNameBytes)
      .refine((name) => Buffer.byteLength(name) <= maxNameBytes, `Must have at most ${maxNameBytes} bytes.`)
      .optional()
      .describe('A queue that must be there. It is asked for its counts, and nothing is taken from it.'),
    max_messages: z
      .int()
      .min(0)
      .max(maxCount)
      .optional()
      .describe('Degraded when more messages of the queue are ready, which means that no consumer has them yet.'),
    min_consumers: z
      .int()
      .min(1)
      .max(maxCount)
      .optional()
      .describe('Degraded when the queue has fewer consumers; down when it has none.'),
    max_latency_ms: serverAccess.max_latency_ms,
    certificate_authorities: serverAccess.certificate_authorities,
    client_certificate: serverAccess.client_certificate,
    accept_any_certificate: serverAccess.accept_any_certificate,
  })
  .superRefine(({ username, password, queue, max_messages: most, min_consumers: least }, context) => {
    if (username !== undefined && password === undefined) refuse(context, 'username', 'Needs a password.')
    if (password !== undefined && username === undefined) refuse(context, 'password', 'Needs a username.')
    if (most !== undefined && queue === undefined) refuse(context, 'max_messages', 'Needs a queue.')
    if (least !== undefined && queue === undefined) refuse(context, 'min_consumers', 'Needs a queue.')
  })
  .meta({
    description: 'A broker that speaks AMQP 0-9-1, such as RabbitMQ: it lets a client in, and takes messages.',
    dependentRequired: { max_messages: ['queue'], min_consumers: ['queue'] },
  })
export type RabbitmqOptions = z.infer<typeof rabbitmqOptions>

function refuse(context: z.RefinementCtx, option: keyof RabbitmqOptions, message: string): void {
  context.addIssue({ code: 'custom', path: [option], message })
}
