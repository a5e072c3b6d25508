// Digest access authentication (RFC 7616): a server says what to prove, and the same request proves it.
import { createHash, randomBytes } from 'node:crypto'
import type { Message, SignIn } from '#net/http/http-request.ts'

export type Credentials = { name: string; secret: string }

/** What a server asks for, by lower-case names. */
export type DigestChallenge = ReadonlyMap<string, string>

/** From the best on. */
const algorithms: Readonly<Record<string, 'sha256' | 'md5'>> = {
  'sha-256-sess': 'sha256',
  'sha-256': 'sha256',
  'md5-sess': 'md5',
  md5: 'md5',
}

/** A nonce that became stale between two requests is answered once more. */
const mostAnswers = 2

/** `refusal` says why the last answer was not enough; null where none was refused. */
export function signInByDigest(
  credentials: Credentials,
  newNonce: () => string = () => randomBytes(18).toString('base64'),
): SignIn {
  let answers = 0
  let refusal: string | null = null
  return {
    headersFor: () => null,
    answerTo: (message, header) => {
      const offered = digestChallenges(header)
      const challenge = bestOf(offered)
      const isStale = challenge?.get('stale')?.toLowerCase() === 'true'
      refusal = refusalOf({ offered, challenge, isStale, hasAnswered: answers > 0 })
      if (challenge === null || answers === mostAnswers || (answers > 0 && !isStale)) return null
      answers += 1
      const authorization = answerOf(message, { challenge, credentials, clientNonce: newNonce() })
      return async () => ({ authorization })
    },
    refusal: () => refusal,
  }
}

type Refused = {
  offered: readonly DigestChallenge[]
  challenge: DigestChallenge | null
  isStale: boolean
  hasAnswered: boolean
}

function refusalOf({ offered, challenge, isStale, hasAnswered }: Refused): string {
  if (offered.length === 0) return 'the server asks for no digest'
  if (challenge === null) return 'the server asks for a digest of another form than MD5 or SHA-256 with qop auth'
  if (isStale && hasAnswered) return 'the server calls its own nonce stale'
  return 'the server refuses the name or the password'
}

/** The digests among the challenges of a header, as they come; what cannot be read is left out. */
export function digestChallenges(header: string): DigestChallenge[] {
  const found: Map<string, string>[] = []
  let current: Map<string, string> | null = null
  for (const [, scheme, name = '', quoted, plain = ''] of header.matchAll(piece)) {
    if (scheme !== undefined) {
      current = scheme.toLowerCase() === 'digest' ? new Map() : null
      if (current !== null) found.push(current)
    } else current?.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain)
  }
  return found.filter((challenge) => challenge.has('nonce') && challenge.has('realm'))
}

/** A parameter with its value, or the name of a scheme before one. Each place of a text is looked at in a time with a limit. */
const piece =
  /(?<![\w-])(?:([\w-]{1,40})(?= {1,20}[\w-]{1,40} {0,20}=)|([\w-]{1,40}) {0,20}= {0,20}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))/g

function bestOf(offered: readonly DigestChallenge[]): DigestChallenge | null {
  const usable = offered.filter((challenge) => algorithmOf(challenge) in algorithms && isQopKnown(challenge))
  const names = Object.keys(algorithms)
  return usable.toSorted((a, b) => names.indexOf(algorithmOf(a)) - names.indexOf(algorithmOf(b))).at(0) ?? null
}

function algorithmOf(challenge: DigestChallenge): string {
  return challenge.get('algorithm')?.toLowerCase() ?? 'md5'
}

/** Without any, the server is one of RFC 2069. */
function isQopKnown(challenge: DigestChallenge): boolean {
  return (
    challenge
      .get('qop')
      ?.toLowerCase()
      .split(/[\s,]+/)
      .includes('auth') ?? true
  )
}

type Answering = { challenge: DigestChallenge; credentials: Credentials; clientNonce: string }

/** The value of the header Authorization (RFC 7616 3.4). */
function answerOf({ url, method }: Message, { challenge, credentials, clientNonce }: Answering): string {
  const { name, secret } = credentials
  const [realm = '', nonce = ''] = [challenge.get('realm'), challenge.get('nonce')]
  const algorithm = algorithmOf(challenge)
  const hash = (text: string): string =>
    createHash(algorithms[algorithm] ?? 'md5')
      .update(text)
      .digest('hex')
  const uri = url.pathname + url.search
  const plain = hash(`${name}:${realm}:${secret}`)
  const key = algorithm.endsWith('-sess') ? hash(`${plain}:${nonce}:${clientNonce}`) : plain
  const hasQop = challenge.has('qop')
  const proven = hasQop ? `${nonce}:${count}:${clientNonce}:auth` : nonce
  const isHidden = challenge.get('userhash')?.toLowerCase() === 'true'
  return [
    `Digest ${userOf(isHidden ? hash(`${name}:${realm}`) : name)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(uri)}`,
    `response="${hash(`${key}:${proven}:${hash(`${method}:${uri}`)}`)}"`,
    ...(challenge.has('algorithm') ? [`algorithm=${challenge.get('algorithm')}`] : []),
    ...(challenge.has('opaque') ? [`opaque=${quote(challenge.get('opaque') ?? '')}`] : []),
    ...(hasQop ? ['qop=auth', `nc=${count}`] : []),
    ...(hasQop || key !== plain ? [`cnonce="${clientNonce}"`] : []),
    ...(isHidden ? ['userhash=true'] : []),
  ].join(', ')
}

/** Each nonce is used once. */
const count = '00000001'

/** Other letters than those of ASCII have a form of their own (RFC 8187 3.2). */
function userOf(name: string): string {
  return /^[\x20-\x7e]*$/.test(name) ? `username=${quote(name)}` : `username*=UTF-8''${encodeStrictly(name)}`
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
