// What stands for the push service of a browser's maker, and for the browser behind it.
import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { after } from 'node:test'
import { importJWK, jwtVerify } from 'jose'
import { z } from 'zod'

/** `text` is what the browser reads. */
export type Pushed = { path: string; headers: IncomingHttpHeaders; bytes: number; text: string; subject: string }

export type PushService = {
  origin: string
  /** What a browser hands to its page. */
  subscription: { endpoint: string; p256dh: string; auth: string }
  pushed: Pushed[]
  /** Sets the answer to the next messages; the default is 201. */
  react: (answer: { status: number; headers?: Record<string, string>; body?: string }) => void
}

const claims = z.object({ aud: z.url(), exp: z.int(), sub: z.string().regex(/^(https:\/\/|mailto:).+/) })

/**
 * Takes messages as RFC 8030 5 says, from whoever signs for `publicKey` (RFC 8292), and reads them as the browser does
 * (RFC 8291, RFC 8188). A message that breaks one of these rules is refused with the rule, and the test sees it.
 */
export async function startPushService(publicKey: () => string): Promise<PushService> {
  const browser = createECDH('prime256v1')
  const p256dh = browser.generateKeys()
  const auth = randomBytes(16)
  const pushed: Pushed[] = []
  let answer: Parameters<PushService['react']>[0] = { status: 201 }
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const { headers, url: path = '', method } = request
    try {
      assert.equal(method, 'POST')
      assert.match(String(headers['ttl']), /^\d+$/)
      assert.match(String(headers['urgency'] ?? 'normal'), /^(very-low|low|normal|high)$/)
      assert.match(String(headers['topic'] ?? ''), /^[\w-]{0,32}$/)
      assert.equal(headers['content-encoding'], 'aes128gcm')
      assert.ok(body.length <= 4096, `${body.length} bytes`)
      const subject = await verified(headers.authorization ?? '', { origin, publicKey: publicKey() })
      pushed.push({ path, headers, bytes: body.length, text: decrypted(body, { browser, p256dh, auth }), subject })
      response.writeHead(answer.status, { location: `${origin}/message/1`, ...answer.headers }).end(answer.body)
    } catch (error) {
      response.writeHead(400).end(error instanceof Error ? error.message : String(error))
    }
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The push service has no port.')
  const origin = `http://127.0.0.1:${address.port}`
  const subscription = {
    endpoint: `${origin}/push/hunter2hunter2`,
    p256dh: p256dh.toString('base64url'),
    auth: auth.toString('base64url'),
  }
  return { origin, subscription, pushed, react: (next) => void (answer = next) }
}

/** The subject of the token; throws unless it was signed for this service with the key that the browser knows. */
async function verified(authorization: string, known: { origin: string; publicKey: string }): Promise<string> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  assert.equal(key, known.publicKey, 'the key is the one that the browser subscribed with')
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) }
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience: known.origin })
  const { exp, sub } = claims.parse(payload)
  assert.ok(exp - Date.now() / 1000 <= 24 * 3600, 'a token is good for a day at most (RFC 8292 2)')
  return sub
}

type Keys = { browser: ReturnType<typeof createECDH>; p256dh: Buffer; auth: Buffer }

/** A message of one record: salt, size of records, the sender's key, ciphertext with its tag. */
function decrypted(body: Buffer, { browser, p256dh, auth }: Keys): string {
  const salt = body.subarray(0, 16)
  const keyEnd = 21 + (body[20] ?? 0)
  const sender = body.subarray(21, keyEnd)
  const sealed = body.subarray(keyEnd)
  assert.ok(sealed.length <= body.readUInt32BE(16), 'there is one record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender])
  const shared = Buffer.from(hkdfSync('sha256', browser.computeSecret(sender), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  assert.ok(end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0), 'the record is the last one')
  return padded.toString('utf8', 0, end)
}
