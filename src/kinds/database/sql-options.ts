import { z } from 'zod'
import { text } from '#core/language/text.ts'
import type { Finding } from '#kinds/talk/judge-talk.ts'
import { serverAccess, plainText } from '#kinds/talk/access-options.ts'

const reading = /^\s*(?:select|with|show|values|table)\s/i
/** White space is fine; what ends a text in a protocol is not. */
const controls = /[^\P{Cc}\t\n\r]/u

/** A secret cannot be required: a monitor that is sent back as it was read comes without it. */
export const usualUser = 'perigee'

/** What all kinds that are asked in SQL take. */
export const sqlOptions = {
  username: serverAccess.username.describe(
    `Who signs in; \`${usualUser}\` where it is left out. Kept encrypted and never returned.`,
  ),
  password: serverAccess.password,
  security: z
    .enum(['tls', 'none'])
    .default('tls')
    .describe(
      'Whether the connection becomes one of TLS (`tls`) or stays in clear text (`none`), which is for private addresses alone. Default: `tls`.',
    ),
  statement: text({ min: 1, max: 4000 })
    .refine((given) => reading.test(given), 'Must begin with SELECT, WITH, SHOW, VALUES or TABLE.')
    .refine((given) => !controls.test(given), 'Must have no control characters.')
    .optional()
    .describe(
      'One statement that is run instead of `SELECT 1`, in a transaction that only reads. Only where the operator of the installation admits no strangers.',
    ),
  expected_value: text({ max: 1000 })
    .optional()
    .describe('The text that the first column of the first row must be. What it is, is compared and never kept.'),
  max_value: z.number().optional().describe('Degraded when the first column of the first row is a larger number.'),
  max_latency_ms: serverAccess.max_latency_ms,
  certificate_authorities: serverAccess.certificate_authorities,
  client_certificate: serverAccess.client_certificate,
  accept_any_certificate: serverAccess.accept_any_certificate,
}
export type SqlOptions = z.infer<z.ZodObject<typeof sqlOptions>>

/** Says to readers of the JSON Schema what `checkSqlOptions` refuses. */
export const valueNeedsStatement = { dependentRequired: { expected_value: ['statement'], max_value: ['statement'] } }

export function checkSqlOptions(options: Partial<SqlOptions>, context: z.RefinementCtx): void {
  for (const option of ['expected_value', 'max_value'] as const)
    if (options[option] !== undefined && options.statement === undefined)
      context.addIssue({ code: 'custom', path: [option], message: 'Needs a statement.' })
}

/** The first column of the first row, as text; `text` is null for NULL. Null where there is no row. */
export type SqlValue = { text: string | null } | null

/** What is wrong with the value of a statement. It may be a secret, so that no text has it. */
export function valueFindings(value: SqlValue, options: Pick<SqlOptions, 'expected_value' | 'max_value'>): Finding[] {
  const { expected_value: expected, max_value: most } = options
  if (expected === undefined && most === undefined) return []
  if (value === null) return [{ status: 'down', error: 'The statement gave no row' }]
  const number = value.text === null || value.text.trim() === '' ? Number.NaN : Number(value.text)
  const findings: [holds: boolean, Finding['status'], string][] = [
    [
      expected !== undefined && value.text !== expected,
      'down',
      'The statement gave another value than the expected one',
    ],
    [most !== undefined && Number.isNaN(number), 'down', 'The statement gave no number'],
    [most !== undefined && number > most, 'degraded', `The statement gave a larger number than ${most}`],
  ]
  return findings.flatMap(([holds, status, error]) => (holds ? [{ status, error }] : []))
}

/** Of the name of a database in an address. */
export function databaseNameProblem(name: string): string | null {
  return plainText(128).safeParse(name).success
    ? null
    : 'Must name a database of at most 128 characters, without control characters.'
}
