// AWS Signature Version 4 (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
import { createHash, createHmac } from 'node:crypto'
import type { Message, SignIn } from '#net/http/http-request.ts'
import type { Credentials } from './digest.ts'

export type AwsScope = { region: string; service: string }

/** Each message is signed anew, those after a redirect too. */
export function signInByAws(credentials: Credentials, scope: AwsScope, now: () => Date): SignIn {
  let refusal: string | null = null
  return {
    headersFor: (message) => signatureHeaders(message, { credentials, scope, at: now() }),
    answerTo: () => {
      refusal = 'the server refuses the signature'
      return null
    },
    refusal: () => refusal,
  }
}

type Signing = { credentials: Credentials; scope: AwsScope; at: Date }

/** What a message is sent with beside its own headers. */
export function signatureHeaders(
  { url, method, headers, body }: Message,
  { credentials, scope, at }: Signing,
): Record<string, string> {
  const { region, service } = scope
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const content = sha256(body ?? '')
  const added = { 'x-amz-date': time, ...(service === 's3' ? { 'x-amz-content-sha256': content } : {}) }
  const type = headers['content-type']
  const signed = Object.entries({
    host: headers['host'] ?? url.host,
    ...(type === undefined ? {} : { 'content-type': type }),
    ...added,
  }).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const request = [
    method,
    service === 's3' ? encoded(url.pathname) : encoded(encoded(url.pathname).replaceAll('%', '%25')),
    queryOf(url),
    ...signed.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    content,
  ].join('\n')
  const place = `${time.slice(0, 8)}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, place, sha256(request)].join('\n')
  const key = place.split('/').reduce<string | Buffer>(hmac, `AWS4${credentials.secret}`)
  const signature = hmac(key, text).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.name}/${place}, SignedHeaders=${names}, Signature=${signature}`
  return { ...added, authorization }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** What a URL leaves in the clear and the signature does not; what is encoded already stays so. */
function encoded(text: string): string {
  return text.replaceAll(/%[\dA-Fa-f]{2}|[^\w.~/-]/g, (sign) =>
    sign.length === 3 ? sign.toUpperCase() : `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** In the order of encoded names, then values. */
function queryOf({ search }: URL): string {
  const pairs = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
  return pairs
    .map((pair) => {
      const [name = '', ...rest] = pair.replaceAll('+', '%20').split('=')
      return [part(name), part(rest.join('='))] as const
    })
    .toSorted(([name, value], [otherName, otherValue]) =>
      name === otherName ? compare(value, otherValue) : compare(name, otherName),
    )
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function part(text: string): string {
  return encoded(text).replaceAll('/', '%2F')
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
