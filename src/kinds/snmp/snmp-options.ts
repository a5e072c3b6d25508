import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { serverAccess, plainText } from '#kinds/talk/access-options.ts'
import { usualUser } from '#kinds/database/sql-options.ts'
import { parseObjectId } from './object-id.ts'

export const usualCommunity = 'public'

/** RFC 3414 11.2: shorter ones are guessed. */
const password = text({ min: 8, max: 1024 }).optional()

export const snmpOptions = z
  .strictObject({
    version: z
      .enum(['2c', '3'])
      .default('2c')
      .describe(
        'The version of the protocol. 2c tells the community in clear text, which is for private addresses alone; 3 signs in as a user. Default: `2c`.',
      ),
    community: plainText(255)
      .optional()
      .describe(
        `For version 2c: what opens the agent; \`${usualCommunity}\` where it is left out. Kept encrypted and never returned.`,
      ),
    username: plainText(32)
      .optional()
      .describe(`For version 3: who asks; \`${usualUser}\` where it is left out. Kept encrypted and never returned.`),
    auth_protocol: z
      .enum(['SHA-1', 'SHA-256'])
      .optional()
      .describe('For version 3: the hash by which messages are authenticated. Default: `SHA-256`.'),
    auth_password: password.describe(
      'For version 3: with it messages are authenticated (authNoPriv). Kept encrypted and never returned.',
    ),
    priv_password: password.describe(
      'For version 3: with it they are encrypted, too, by AES-128 (authPriv), which public addresses take. Kept encrypted and never returned.',
    ),
    oid: text({ min: 1, max: 1000 })
      .refine((given) => parseObjectId(given) !== null, 'Must be numbers with dots, such as 1.3.6.1.2.1.1.3.0.')
      .optional()
      .describe('The variable that is asked for. Default: how long the agent has run (sysUpTime).'),
    expected_value: text({ max: 1000 })
      .optional()
      .describe('What the variable must be, as text. What it is, is compared and never kept.'),
    min_value: z.number().optional().describe('Degraded when the variable is a smaller number.'),
    max_value: z.number().optional().describe('Degraded when the variable is a larger number.'),
    max_latency_ms: serverAccess.max_latency_ms,
  })
  .superRefine((options, context) => {
    const { auth_password: auth, priv_password: priv, oid, min_value: least, max_value: most } = options
    if (priv !== undefined && auth === undefined) refuse(context, 'priv_password', 'Needs an auth_password.')
    if (least !== undefined && most !== undefined && least > most)
      refuse(context, 'min_value', 'Must not be larger than max_value.')
    if (oid !== undefined) return
    for (const option of expecting) if (options[option] !== undefined) refuse(context, option, 'Needs an oid.')
  })
  .meta({
    description: 'An agent that answers SNMP: it tells a variable, which can be compared.',
    dependentRequired: { expected_value: ['oid'], min_value: ['oid'], max_value: ['oid'] },
  })
export type SnmpOptions = z.infer<typeof snmpOptions>

const expecting = ['expected_value', 'min_value', 'max_value'] as const

function refuse(context: z.RefinementCtx, option: keyof SnmpOptions, message: string): void {
  context.addIssue({ code: 'custom', path: [option], message })
}
