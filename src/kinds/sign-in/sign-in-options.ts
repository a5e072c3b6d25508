import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { webTargetProblem } from '#kinds/web/web-target.ts'

const byToken = ['token_url', 'token_method', 'token_scope', 'token_audience'] as const
const byAws = ['aws_region', 'aws_service'] as const

/** A part of the scope of a signature, which stands in a header between slashes. */
const scopePart = text({ min: 1, max: 100 }).regex(/^[a-z0-9-]+$/, 'Must be lower-case letters, digits and hyphens.')

/** How http, api and all steps of a transaction sign in to the target's own origin. */
export const signInOptions = {
  sign_in: z
    .enum(['digest', 'oauth2', 'aws'])
    .optional()
    .describe(
      "How requests to the target's origin sign in: by digest (RFC 7616), with a token of OAuth 2 for the client itself, or with a signature of AWS (version 4).",
    ),
  sign_in_name: text({ min: 1, max: 500 })
    .optional()
    .describe('The user name, the id of the client, or the id of the access key.'),
  sign_in_secret: text({ min: 1, max: 2000 })
    .optional()
    .describe('The password, the secret of the client, or the secret access key; kept encrypted and never returned.'),
  token_url: text({ min: 1, max: 2048 })
    .superRefine(checkTokenUrl)
    .optional()
    .describe('The token endpoint, for `oauth2`.'),
  token_method: z
    .enum(['basic', 'post'])
    .optional()
    .describe('Whether the client names itself in the header Authorization (`basic`, the default) or in the body.'),
  token_scope: text({ min: 1, max: 1000 }).optional().describe('What the token is to be good for.'),
  token_audience: text({ min: 1, max: 1000 }).optional().describe('For whom the token is to be.'),
  aws_region: scopePart.optional().describe('For `aws`, such as `eu-central-1`.'),
  aws_service: scopePart.optional().describe('For `aws`, such as `execute-api`.'),
}

export type SignInOptions = z.infer<z.ZodObject<typeof signInOptions>>

/**
 * A secret may stay without the rest, so that signing in can be left out and taken up again. The rest may come without
 * it: a monitor as it was read has none, and some passwords are empty.
 */
export function checkSignIn(options: SignInOptions, context: z.RefinementCtx): void {
  const { sign_in: way } = options
  const refuse = (option: keyof SignInOptions, message: string): void =>
    context.addIssue({ code: 'custom', path: [option], message })
  const needed = way === undefined ? [] : (['sign_in_name'] as const)
  const further = way === 'oauth2' ? (['token_url'] as const) : way === 'aws' ? byAws : []
  for (const option of [...needed, ...further])
    if (options[option] === undefined) refuse(option, `Is needed to sign in by ${way}.`)
  if (way === undefined && options.sign_in_name !== undefined) refuse('sign_in_name', 'Needs a sign_in.')
  for (const option of way === 'oauth2' ? [] : byToken)
    if (options[option] !== undefined) refuse(option, 'Needs sign_in to be oauth2.')
  for (const option of way === 'aws' ? [] : byAws)
    if (options[option] !== undefined) refuse(option, 'Needs sign_in to be aws.')
}

function checkTokenUrl(given: string, context: z.RefinementCtx<string>): void {
  const problem = webTargetProblem(given, () => false)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
}
