import { z } from 'zod'

const link = { to: z.string(), token: z.string() }

/** A mail to a person. After `expires_at` its content no longer holds, so it is not sent. */
export const personMailSchema = z.strictObject({
  expires_at: z.iso.datetime(),
  content: z.discriminatedUnion('mail', [
    /** Asks whether the address belongs to the reader. */
    z.strictObject({ mail: z.literal('verify_email'), ...link }),
    /** Asks the old address whether the new one may take its place. */
    z.strictObject({ mail: z.literal('change_email'), ...link, new_email: z.string() }),
    z.strictObject({ mail: z.literal('sign_in_link'), ...link, return_to: z.string().nullable() }),
    z.strictObject({ mail: z.literal('reset_password'), ...link }),
    /** Tells the holder of an address that has an account of an attempt to sign up with it. */
    z.strictObject({ mail: z.literal('existing_account'), to: z.string() }),
    z.strictObject({ mail: z.literal('password_changed'), to: z.string() }),
    z.strictObject({ mail: z.literal('invitation'), ...link, invited_by: z.string() }),
  ]),
})
export type PersonMail = z.infer<typeof personMailSchema>
export type PersonMailContent = PersonMail['content']

/**
 * Pages of the console to which mails link. The secret of a link stands behind `#`, which browsers do not send to a
 * server.
 */
const linkPaths = {
  verify_email: '/verify-email',
  change_email: '/verify-email',
  sign_in_link: '/sign-in/link',
  reset_password: '/reset-password',
  invitation: '/invitation',
  set_up: '/set-up',
} as const

/** `publicUrl` has no final slash. The page reads its parameters from the fragment, as from a query string. */
export function consoleLink(
  publicUrl: string,
  page: keyof typeof linkPaths,
  parameters: Readonly<Record<string, string>>,
): string {
  return `${publicUrl}${linkPaths[page]}#${new URLSearchParams(parameters).toString()}`
}

const longestPath = 2000

/**
 * A path of this service to which the console may lead a person after signing in. Null for anything else, so that a
 * link cannot lead to another site.
 */
export function localPath(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.length > longestPath) return null
  // A browser reads "//host" and "/\host" as another host, and removes control characters before it does.
  return /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(text) ? text : null
}
