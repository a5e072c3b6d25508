import { z } from 'zod'
import { serverAccess, plainText } from '#kinds/talk/access-options.ts'
import { expectedMessage } from '#kinds/talk/expected-message.ts'

/** MQTT 5 4.7.1: `+` and `#` are for filters, which several topics match. */
const topic = plainText(512).refine((given) => !/[+#]/.test(given), 'Must be one topic, without the wildcards + and #.')

const ofWatched = ['expected_message', 'message_pattern'] as const

export const mqttOptions = z
  .strictObject({
    username: serverAccess.username,
    password: serverAccess.password,
    protocol_version: z
      .enum(['3.1.1', '5'])
      .default('3.1.1')
      .describe('The version of MQTT that is spoken. Default: `3.1.1`.'),
    topic: topic
      .refine((given) => !given.startsWith('$'), 'Must not begin with $: such topics are for the server alone.')
      .optional()
      .describe('A topic at which the check publishes a short message of its own, which must come back to it.'),
    qos: z
      .int()
      .min(0)
      .max(1)
      .optional()
      .describe('The quality of service with which `topic` is published and subscribed to. Default: 0.'),
    watched_topic: topic
      .optional()
      .describe('A topic that must have a message: the retained one, or else the next that is published.'),
    expected_message: expectedMessage.expected_message.describe(
      'Text that the message of the watched topic must contain. It is compared, and never kept.',
    ),
    message_pattern: expectedMessage.message_pattern.describe(
      'Regular expression in the syntax of RE2 that must be found in the message of the watched topic. At most 200 steps long.',
    ),
    max_latency_ms: serverAccess.max_latency_ms,
    certificate_authorities: serverAccess.certificate_authorities,
    client_certificate: serverAccess.client_certificate,
    accept_any_certificate: serverAccess.accept_any_certificate,
  })
  .superRefine((options, context) => {
    const { username, password, topic: own, qos, watched_topic: watched } = options
    // MQTT 3.1.1, 3.1.2.9: there is no password without a user.
    if (password !== undefined && username === undefined) refuse(context, 'password', 'Needs a username.')
    if (qos !== undefined && own === undefined) refuse(context, 'qos', 'Needs a topic.')
    for (const option of ofWatched)
      if (options[option] !== undefined && watched === undefined) refuse(context, option, 'Needs a watched_topic.')
    if (watched !== undefined && watched === own) refuse(context, 'watched_topic', 'Must be another one than topic.')
  })
  .meta({
    description: 'A broker that speaks MQTT: it lets a client in, and passes messages on if that is asked for.',
    dependentRequired: {
      qos: ['topic'],
      expected_message: ['watched_topic'],
      message_pattern: ['watched_topic'],
    },
  })
export type MqttOptions = z.infer<typeof mqttOptions>

function refuse(context: z.RefinementCtx, option: keyof MqttOptions, message: string): void {
  context.addIssue({ code: 'custom', path: [option], message })
}
