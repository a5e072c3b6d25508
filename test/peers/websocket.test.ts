import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { after, describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { websocket } from '#kinds/websocket/websocket.ts'
import type { Verdict } from '#core/results/result.ts'
import { makeCertificate } from '../support/certificates.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { startWs } from '../support/peers/ws-server.ts'
import { portOf } from '../support/raw-server.ts'
import { testCertificates } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

const skip = skipReason(['sshd'])

describe('a websocket monitor at ws', { skip }, async () => {
  const { root, good, expired, wrongName, selfSigned } = testCertificates()
  setDefaultCACertificates([root.pem])
  const open = await startWs()

  it('is up when it answers a ping, and closes as the protocol says', async () => {
    const before = open.goodbyes.length
    const { status, error, statusCode } = await check(open.port)
    assert.deepEqual([status, error, statusCode], ['up', null, 101])
    await until('the goodbye to come', () => open.goodbyes.length > before)
    assert.equal(open.goodbyes.at(-1), 1000)
  })

  it('sends a message, and reads what comes back', async () => {
    const long = 'ü'.repeat(4095)
    assert.equal(await errorOf(open.port, { send: `${long}.`, expected_message: 'üü.' }), null)
    assert.equal(await errorOf(open.port, { send: 'state 17', message_pattern: '^echo: state \\d+$' }), null)
    assert.equal(
      await errorOf(open.port, { send: 'state', expected_message: 'ready' }, { timeoutMs: 500 }),
      'Timed out after 500 ms while waiting for the expected message',
    )
  })

  it('reads messages in pieces, of 100 kB, of bytes, and between pings', async () => {
    const { port } = await startWs({
      options: { perMessageDeflate: true },
      onConnection: (socket) => {
        socket.ping('are you there')
        socket.send('hello ', { fin: false })
        socket.send('world', { fin: true })
        socket.send('x'.repeat(100_000))
        socket.once('pong', () => socket.send(Buffer.from('ready')))
      },
    })
    const { status, details } = await check(port, { expected_message: 'ready' })
    assert.deepEqual([status, details], ['up', { messages: 3 }])
    assert.equal(await errorOf(port, { expected_message: 'hello world' }), null)
  })

  it('is given the subprotocol, or none', async () => {
    const { port } = await startWs({
      options: { handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false) },
    })
    assert.equal(await errorOf(port, { subprotocol: 'mqtt' }), null)
    assert.equal(await errorOf(port), null)
    assert.equal(await errorOf(port, { subprotocol: 'wamp' }), 'The server does not choose the subprotocol')
  })

  it('shows its headers, and tells a status', async () => {
    const { port } = await startWs({
      options: {
        verifyClient: ({ req }: { req: { headers: NodeJS.Dict<unknown> } }) =>
          req.headers['authorization'] === 'Bearer good',
      },
    })
    assert.equal(await errorOf(port, {}, { requestHeaders: { Authorization: 'Bearer good' } }), null)
    const { error, statusCode } = await check(port)
    assert.deepEqual([error, statusCode], ['HTTP status 401, expected 101', 401])
  })

  it('is down where the server says goodbye, goes without one, or hangs', async () => {
    const leaving = await startWs({ onConnection: (socket) => socket.close(4401, 'token expired') })
    assert.equal(await errorOf(leaving.port), 'The server closed the WebSocket with code 4401: "token expired"')
    const gone = await startWs({ onConnection: (socket) => socket.terminate() })
    assert.match(String(await errorOf(gone.port)), /closed the connection|reset/)
    const hanging = await startWs({ options: { autoPong: false }, onConnection: () => {} })
    assert.equal(
      await errorOf(hanging.port, {}, { timeoutMs: 500 }),
      'Timed out after 500 ms while waiting for the answer to the ping',
    )
  })

  it('is degraded where the answer is slow', async () => {
    const { port } = await startWs({
      onConnection: (socket) => void setTimeout(() => socket.send('ready'), 150),
    })
    const { status, error } = await check(port, { expected_message: 'ready', max_latency_ms: 100 })
    assert.deepEqual([status, error], ['degraded', 'The answer took longer than 100 ms'])
  })

  it('speaks TLS, and judges the certificate', async () => {
    const secured = async (certificate: typeof good): Promise<Verdict> =>
      checkOnce(websocket, { url: `wss://127.0.0.1:${(await startWs({ certificate })).port}/` })
    const { status, details } = await secured(good)
    assert.deepEqual([status, details], ['up', { tls_protocol: 'TLSv1.3' }])
    assert.match(String((await secured(expired)).error), /^The certificate of 127\.0\.0\.1 expired on/)
    assert.match(String((await secured(wrongName)).error), /^The certificate is for other\.example, not for 127/)
    assert.match(String((await secured(selfSigned)).error), /^The certificate of 127\.0\.0\.1 is/)
  })

  it('shows a certificate of its own where the server wants one', async () => {
    const clientAuthority = makeCertificate({ name: 'Clients', isAuthority: true })
    const client = makeCertificate({ name: 'watcher', issuer: clientAuthority })
    const { port } = await startWs({ certificate: good, clientAuthority })
    const url = `wss://127.0.0.1:${port}`
    const shown = { client_certificate: client.pem + client.keyPem }
    assert.equal((await checkOnce(websocket, { url, options: shown })).error, null)
    assert.match(String((await checkOnce(websocket, { url })).error), /asks for a TLS client certificate$/)
  })

  it('is down at other servers, and at TLS where none is expected', async () => {
    const web = createServer((_, response) => void response.writeHead(302, { location: '/sign-in' }).end('moved'))
    web.listen(0, '127.0.0.1')
    await once(web, 'listening')
    after(() => web.close())
    assert.equal(await errorOf(portOf(web)), 'HTTP status 302, expected 101: it leads to "/sign-in"')
    const ssh = await startOpenssh()
    assert.match(String(await errorOf(ssh.port)), /^Not an answer of HTTP: "SSH-2\.0-/)
    const secured = await startWs({ certificate: good })
    assert.match(String(await errorOf(secured.port)), /closed the connection|reset|Not an answer/)
    const { error } = await checkOnce(websocket, { url: `wss://127.0.0.1:${open.port}`, timeoutMs: 1000 })
    assert.match(String(error), /does not speak TLS|closed the connection|Timed out/)
  })
})

function check(
  port: number,
  options: Record<string, unknown> = {},
  wishes: Partial<CheckConfiguration> = {},
): Promise<Verdict> {
  return checkOnce(websocket, { url: `ws://127.0.0.1:${port}/`, options, timeoutMs: 5000, ...wishes })
}

async function errorOf(...given: Parameters<typeof check>): Promise<string | null> {
  return (await check(...given)).error
}
