import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#store/database/secrets.ts'

/** 16 MB and some 40 ms a guess; RFC 7914 2. The numbers stand in the hash, so that they can be raised. */
const cost = { N: 16_384, r: 8, p: 1 }
const saltBytes = 16
const keyBytes = 32

/** `scrypt$N$r$p$salt$key`, the latter two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt = '', key = ''] = hash.split('$')
  if (scheme !== 'scrypt') throw new Error('A password is stored in a form that this release does not know.')
  const expected = Buffer.from(key, 'base64url')
  const given = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, expected)
}

function derive(password: string, salt: Buffer, options: typeof cost): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  scrypt(password.normalize('NFC'), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  return promise
}

const purpose = 'status page visit'
/** How long a reader stays admitted without giving the password again. */
export const visitDays = 30

type Signer = Pick<Secrets, 'sign' | 'isSigned'>
type Visited = { id: string; passwordHash: string }

/** What a reader's cookie holds. Another password of the page ends it. `until` in seconds since 1970. */
export function visitToken(page: Visited, until: number, signer: Signer): string {
  return `${until}.${signer.sign(purpose, subjectOf(page, until))}`
}

export function isVisitToken(
  token: string,
  { page, now, signer }: { page: Visited; now: Date; signer: Signer },
): boolean {
  const [, digits = '', signature = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  const until = Number(digits)
  return until * 1000 > now.getTime() && signer.isSigned(purpose, subjectOf(page, until), signature)
}

function subjectOf({ id, passwordHash }: Visited, until: number): string {
  return `${id} ${until} ${passwordHash}`
}
