import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { type Told, toldWithout } from '#kinds/told.ts'
import { expectations, ways } from '#kinds/web/web-options.ts'

const controls = /\p{Cc}/u

/** Text without control characters: what a protocol takes for the end of a text, or of a line, cannot be in it. */
export function plainText(max: number): z.ZodString {
  return text({ min: 1, max }).refine((given) => !controls.test(given), 'Must have no control characters.')
}

/** How kinds that talk with a server sign in, and how they speak TLS. */
export const serverAccess = {
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

export type ServerAccess = z.infer<z.ZodObject<typeof serverAccess>>

/** Secret ones among them. */
export const secretAccess = ['username', 'password', 'client_certificate']

/** As `net` wants it; undefined where nothing but the usual is asked for. */
export function ownTls(
  options: ServerAccess,
): { authorities?: string | undefined; client?: string | undefined; acceptsAny: boolean } | undefined {
  const { certificate_authorities: authorities, client_certificate: client } = options
  const acceptsAny = options.accept_any_certificate === true
  return authorities === undefined && client === undefined && !acceptsAny
    ? undefined
    : { authorities, client, acceptsAny }
}

export function toldBy({ username, password }: ServerAccess): Told {
  return toldWithout([password, username].filter((each) => each !== undefined))
}
