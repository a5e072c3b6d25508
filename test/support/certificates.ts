import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export type Certificate = { pem: string; keyPem: string; name: string; key: KeyObject }

export type CertificateWish = {
  name: string
  /** DNS names and IPv4 addresses; none for an authority. */
  names?: string[]
  issuer?: Certificate
  isAuthority?: boolean
  /** Whether it may sign what OCSP says for its issuer (RFC 6960 4.2.2.2). */
  signsOcsp?: boolean
  notBefore?: Date
  notAfter?: Date
  /** A key of RSA in place of P-256. */
  rsaBits?: number
}

const dayMs = 86_400_000

/** An X.509 v3 certificate (RFC 5280), self-signed without an issuer. Small enough to need no tool. */
export function makeCertificate(wish: CertificateWish): Certificate {
  const { issuer, rsaBits } = wish
  const { publicKey, privateKey } =
    rsaBits === undefined
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: rsaBits })
  const signingKey = issuer?.key ?? privateKey
  const algorithm = signingKey.asymmetricKeyType === 'rsa' ? rsaWithSha256 : ecdsaWithSha256
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(issuer?.name ?? wish.name),
    sequence(
      time(wish.notBefore ?? new Date(Date.now() - dayMs)),
      time(wish.notAfter ?? new Date(Date.now() + 90 * dayMs)),
    ),
    distinguishedName(wish.name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(wish))),
  )
  const signature = sign('sha256', body, signingKey)
  const certificate = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    pem: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    name: wish.name,
    key: privateKey,
  }
}

/** The certificates in the order in which a server sends them: its own first, then the issuers up to the root. */
export function chainPem(...chain: Certificate[]): string {
  return chain.map((certificate) => certificate.pem).join('')
}

function extensions({ names = [], isAuthority = false, signsOcsp = false }: CertificateWish): Buffer[] {
  const alternatives = names.map((name) =>
    isIPv4(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
  )
  return [
    extension('551d13', sequence(...(isAuthority ? [Buffer.from('0101ff', 'hex')] : []))),
    ...(alternatives.length > 0 ? [extension('551d11', sequence(...alternatives))] : []),
    ...(signsOcsp ? [extension('551d25', sequence(tagged(0x06, Buffer.from('2b06010505070309', 'hex'))))] : []),
  ]
}

function extension(identifier: string, value: Buffer): Buffer {
  return sequence(tagged(0x06, Buffer.from(identifier, 'hex')), tagged(0x04, value))
}

const ecdsaWithSha256 = sequence(tagged(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
const rsaWithSha256 = sequence(tagged(0x06, Buffer.from('2a864886f70d01010b', 'hex')), tagged(0x05, Buffer.alloc(0)))

function distinguishedName(name: string): Buffer {
  const attribute = sequence(tagged(0x06, Buffer.from('550403', 'hex')), tagged(0x0c, Buffer.from(name)))
  return sequence(tagged(0x31, attribute))
}

/** GeneralizedTime, which has four digits for the year. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes)
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const header =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(header), content])
}
