// What a client does with a 402: it reads the challenges, answers one and reads the receipt. Written for tests from
// docs/payments.md, without any code of the service. test/references asks the public client whether both agree.
import { z } from 'zod'

/** A challenge with its request read; `opaque` goes back as it came. */
export const challengeSchema = z.object({
  id: z.string().min(1),
  realm: z.string(),
  method: z.string(),
  intent: z.string(),
  request: z.record(z.string(), z.unknown()),
  description: z.string().optional(),
  expires: z.iso.datetime().optional(),
  opaque: z.string().optional(),
})
export type Challenge = z.infer<typeof challengeSchema>

export type Credential = { challenge: Challenge; payload: unknown; source?: string }

const receiptSchema = z.looseObject({
  method: z.string(),
  reference: z.string(),
  status: z.literal('success'),
  timestamp: z.iso.datetime(),
})
export type Receipt = z.infer<typeof receiptSchema>

/** The challenges of a `WWW-Authenticate` header, in its order; none where there is no header. */
export function challengesIn(header: string | null): Challenge[] {
  return (header ?? '')
    .split(/(?:^|, )Payment (?=id=")/)
    .slice(1)
    .map(readChallenge)
}

/** The first challenge of a response; fails where there is none. */
export function firstChallenge({ headers }: { headers: Headers }): Challenge {
  const [challenge] = challengesIn(headers.get('www-authenticate'))
  if (challenge === undefined) throw new Error('The answer has no challenge.')
  return challenge
}

function readChallenge(text: string): Challenge {
  const parameters = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll(/\\(.)/g, '$1'),
  ])
  const { request, ...others }: Record<string, string> = Object.fromEntries(parameters)
  return challengeSchema.parse({ ...others, request: decode(request ?? '') })
}

/** The text after `Payment` in an `Authorization` header. */
export function credentialText({ challenge, ...answer }: Credential): string {
  const { request, ...others } = challenge
  return encode({ challenge: { ...others, request: encode(request) }, ...answer })
}

/** The value of an `Authorization` header that answers a challenge by card. */
export function authorizationFor(challenge: Challenge, spt = 'spt_test_ok'): string {
  return `Payment ${credentialText({ challenge, payload: { spt } })}`
}

/** The receipt of a `Payment-Receipt` header. */
export function receiptIn(header: string): Receipt {
  return receiptSchema.parse(decode(header))
}

/** JSON with the names of every object in order (RFC 8785 3.2.3), which is what the id of a challenge is made of. */
function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value, inOrder)).toString('base64url')
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function decode(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}
