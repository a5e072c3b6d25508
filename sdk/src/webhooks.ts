/** Headers of a request, as `fetch` or Node have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /** How far the clocks of the service and the receiver may differ, and how old a message may be. Default 300. */
  toleranceSeconds?: number | undefined
  /** Milliseconds since 1970. Default: now. */
  now?: number | undefined
}

/** The message is not the service's, is not of this time, or cannot be read. Answer it with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: 'missing_header' | 'wrong_time' | 'wrong_signature' | 'wrong_body'

  constructor(code: WebhookError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const defaultToleranceSeconds = 300
/** While a secret is replaced there are two. */
const maxSignatures = 10

/**
 * The body of a message that was signed with the secret (Standard Webhooks 1.0). `body` is what came, byte for byte:
 * JSON that was read and written again is another text. Of several secrets one has to fit.
 */
export async function verifiedBody(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  {
    secrets,
    toleranceSeconds = defaultToleranceSeconds,
    now = Date.now(),
  }: { secrets: readonly string[] } & VerifyOptions,
): Promise<unknown> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ').slice(0, maxSignatures)
  // Written so that a time that is no number fails.
  if (!(/^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookError('wrong_time', `The message is not of the last ${toleranceSeconds} seconds.`)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  let isGenuine = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    for (const signature of signatures) {
      const [version, encoded = ''] = signature.split(',')
      const given = version === 'v1' ? fromBase64(encoded) : null
      // `verify` takes the same time whatever differs.
      if (given !== null && (await crypto.subtle.verify('HMAC', key, given, signed))) isGenuine = true
    }
  }
  if (!isGenuine) throw new WebhookError('wrong_signature', 'No signature of the message is of this secret.')
  try {
    return JSON.parse(text)
  } catch {
    throw new WebhookError('wrong_body', 'The message is no JSON.')
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : fromRecord(headers, name)
  if (value === null || value === '') throw new WebhookError('missing_header', `The message has no header ${name}.`)
  return value
}

function fromRecord(headers: Exclude<WebhookHeaders, Headers>, name: string): string | null {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : (found?.[0] ?? null)
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ''))
  if (key === null || key.length < 16) throw new TypeError('secret: Is "whsec_" and base64, as the service showed it.')
  return key
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
