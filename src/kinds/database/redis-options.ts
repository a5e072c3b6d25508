import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { serverAccess, plainText } from '#kinds/talk/access-options.ts'

export const redisOptions = z
  .strictObject({
    username: serverAccess.username.describe(
      'The user of the access list (ACL); without it the password is that of the default user. Kept encrypted and never returned.',
    ),
    password: serverAccess.password,
    key: plainText(512).optional().describe('A key that must be there, and hold a text. It is read with `GET`.'),
    expected_value: text({ max: 1000 })
      .optional()
      .describe('The text that the key must hold. What it holds is compared, and never kept.'),
    list: plainText(512).optional().describe('A list whose length is told. It is read with `LLEN`.'),
    max_list_length: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Degraded when the list has more entries.'),
    max_memory_mb: z
      .int()
      .min(1)
      .max(100_000_000)
      .optional()
      .describe('Degraded when the data takes more memory, in MB of 1,000,000 bytes, as the server counts it.'),
    expected_role: z
      .enum(['primary', 'replica'])
      .optional()
      .describe('The role that the server must have; a replica must be connected to its primary, too.'),
    max_latency_ms: serverAccess.max_latency_ms,
    certificate_authorities: serverAccess.certificate_authorities,
    client_certificate: serverAccess.client_certificate,
    accept_any_certificate: serverAccess.accept_any_certificate,
  })
  .superRefine(({ key, expected_value: value, list, max_list_length: most, username, password }, context) => {
    if (value !== undefined && key === undefined) refuse(context, 'expected_value', 'Needs a key.')
    if (most !== undefined && list === undefined) refuse(context, 'max_list_length', 'Needs a list.')
    if (username !== undefined && password === undefined) refuse(context, 'username', 'Needs a password.')
  })
  .meta({
    description: 'A Redis server, or one that speaks its protocol: it answers `PING`, and more if that is asked for.',
    dependentRequired: { expected_value: ['key'], max_list_length: ['list'] },
  })
export type RedisOptions = z.infer<typeof redisOptions>

function refuse(context: z.RefinementCtx, option: keyof RedisOptions, message: string): void {
  context.addIssue({ code: 'custom', path: [option], message })
}
