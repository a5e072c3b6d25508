import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { quoted, readable } from '#kinds/readable.ts'
import { expectations, ways } from '#kinds/web/web-options.ts'

const controls = /\p{Cc}/u

/** Text without control characters: what a protocol takes for the end of a text, or of a line, cannot be in it. */
export function plainText(max: number): z.ZodString {
  return text({ min: 1, max }).refine((given) => !controls.test(given), 'Must have no control characters.')
}

/** How all kinds of database sign in, and how they speak TLS. */
export const databaseAccess = {
  username: plainText(128).optional().describe('Who signs in; kept encrypted and never returned.'),
  password: plainText(1024).optional().describe('Kept encrypted and never returned.'),
  certificate_authorities: ways.certificate_authorities,
  client_certificate: ways.client_certificate,
  accept_any_certificate: ways.accept_any_certificate.describe(
    'Whether the certificate need not be valid for the host. Who is on the way could then read the password. Default false.',
  ),
  max_latency_ms: expectations.max_latency_ms.describe(
    'Degraded when a right answer took more than so many milliseconds.',
  ),
}

export type DatabaseAccess = z.infer<z.ZodObject<typeof databaseAccess>>

/** Secret ones among them. */
export const secretAccess = ['username', 'password', 'client_certificate']

/** As `net` wants it; undefined where nothing but the usual is asked for. */
export function ownTls(
  options: DatabaseAccess,
): { authorities?: string | undefined; client?: string | undefined; acceptsAny: boolean } | undefined {
  const { certificate_authorities: authorities, client_certificate: client } = options
  const acceptsAny = options.accept_any_certificate === true
  return authorities === undefined && client === undefined && !acceptsAny
    ? undefined
    : { authorities, client, acceptsAny }
}

/** What a server said, for texts. A server that repeats what it was told does not get the secrets into a result. */
export type Told = { quoted: (said: string) => string; readable: (said: string) => string }

export function toldBy({ username, password }: DatabaseAccess): Told {
  const secrets = [password, username].filter((each) => each !== undefined)
  const without = (said: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), said)
  return { quoted: (said) => quoted(without(said)), readable: (said) => readable(without(said)) }
}
