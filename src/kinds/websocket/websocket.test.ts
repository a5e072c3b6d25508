import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { until } from '../../../test/support/until.ts'
import {
  acceptHandshake,
  goodWebsocket,
  keyOf,
  serverFrame,
  websocketStandIn,
} from '../../../test/support/websocket-stand-in.ts'
import { acceptFor } from './websocket-handshake.ts'
import { websocketTargetProblem } from './websocket-target.ts'
import { websocket } from './websocket.ts'

type Options = Record<string, unknown>

const { root, good, selfSigned } = testCertificates()
setDefaultCACertificates([root.pem])
const server = await websocketStandIn()

function check(options: Options = {}, port = server.port, wishes: Partial<CheckConfiguration> = {}): Promise<Verdict> {
  return checkOnce(websocket, { url: `ws://127.0.0.1:${port}/feed?a=1`, options, ...wishes })
}

/** A server whose handshake is good and which then sends these bytes. */
async function greeting(bytes: Buffer, options: Options = {}, timeoutMs = 3000): Promise<Verdict> {
  const { port } = await websocketStandIn({ greet: bytes, answer: () => null })
  return check(options, port, { timeoutMs })
}

async function opening(open: (head: string) => string | null, options: Options = {}): Promise<Verdict> {
  return check(options, (await websocketStandIn({ open })).port)
}

function short({ status, error }: Verdict): [string, string | null] {
  return [status, error]
}

function text(said: string): Buffer {
  return serverFrame(1, said)
}

describe('a WebSocket server', () => {
  it('is up when it answers a ping, and is told goodbye', async () => {
    server.heads.length = 0
    server.heard.length = 0
    const { status, error, statusCode, details, phases, latencyMs } = await check()
    assert.deepEqual([status, error, statusCode, details], ['up', null, 101, {}])
    assert.ok(latencyMs !== null && phases.connectMs !== null && phases.ttfbMs !== null && phases.transferMs !== null)
    await until('the goodbye to come', () => server.heard.length === 2)
    assert.deepEqual(
      server.heard.map(({ opcode, isMasked, payload }) => [opcode, isMasked, payload.length]),
      [
        [9, true, 8],
        [8, true, 2],
      ],
    )
    assert.equal(server.heard[1]?.payload.readUInt16BE(0), 1000)
  })

  it('is asked as RFC 6455 says, and told no extension', async () => {
    server.heads.length = 0
    await check()
    const [head = ''] = server.heads
    const lines = head.split('\r\n')
    assert.equal(lines[0], 'GET /feed?a=1 HTTP/1.1')
    assert.equal(Buffer.from(keyOf(head), 'base64').length, 16)
    assert.deepEqual(lines.slice(1).toSorted(), [
      'connection: Upgrade',
      `host: 127.0.0.1:${server.port}`,
      `sec-websocket-key: ${keyOf(head)}`,
      'sec-websocket-version: 13',
      'upgrade: websocket',
      'user-agent: Perigee/1 (+uptime check)',
    ])
  })

  it("is sent the monitor's own headers, but none that belong to the handshake", async () => {
    server.heads.length = 0
    const requestHeaders = {
      Authorization: 'Bearer abc',
      Host: 'live.example',
      'User-Agent': 'mine',
      Upgrade: 'h2c',
      'Sec-WebSocket-Extensions': 'permessage-deflate',
    }
    assert.equal((await check({}, server.port, { requestHeaders })).status, 'up')
    const [head = ''] = server.heads
    assert.match(head, /^authorization: Bearer abc\r$/m)
    assert.match(head, /^host: live\.example\r$/m)
    assert.match(head, /^user-agent: mine\r$/m)
    assert.doesNotMatch(head, /h2c|deflate|Perigee/)
  })

  it('makes the key of RFC 6455 into its answer', () => {
    assert.equal(acceptFor('dGhlIHNhbXBsZSBub25jZQ=='), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
  })

  it('is reached by TLS with wss, and its certificate is judged', async () => {
    const secured = await websocketStandIn({ certificate: good })
    const { status, details, phases } = await checkOnce(websocket, { url: `wss://127.0.0.1:${secured.port}` })
    assert.deepEqual([status, details], ['up', { tls_protocol: 'TLSv1.3' }])
    assert.notEqual(phases.tlsMs, null)
    const other = await websocketStandIn({ certificate: selfSigned })
    const url = `wss://127.0.0.1:${other.port}`
    assert.match(
      String((await checkOnce(websocket, { url })).error),
      /certificate of 127\.0\.0\.1 is (?:self-signed|not)/,
    )
    assert.deepEqual(other.heads, [])
    assert.equal((await checkOnce(websocket, { url, options: { accept_any_certificate: true } })).status, 'up')
    const authorities = { certificate_authorities: selfSigned.pem }
    assert.equal((await checkOnce(websocket, { url, options: authorities })).status, 'up')
  })

  it('that answers late is degraded', async () => {
    const { port } = await rawServer((socket) => {
      socket.once('data', (head: Buffer) => {
        setTimeout(() => socket.write(acceptHandshake(head.toString())), 110)
        socket.once('data', (frame: Buffer) => {
          const unmasked = frame.subarray(6).map((byte, at) => byte ^ (frame[2 + (at % 4)] ?? 0))
          socket.write(serverFrame(10, Buffer.from(unmasked)))
        })
      })
    })
    assert.deepEqual(short(await check({ max_latency_ms: 100 }, port)), [
      'degraded',
      'The answer took longer than 100 ms',
    ])
  })
})

describe('the messages of a WebSocket server', () => {
  it('answer what is sent, and may be any', async () => {
    server.heard.length = 0
    const { status, details } = await check({ send: 'grüße' })
    assert.deepEqual([status, details], ['up', { messages: 1 }])
    assert.deepEqual([server.heard[0]?.opcode, server.heard[0]?.payload.toString()], [1, 'grüße'])
  })

  const long = 'x'.repeat(70_000)
  const cases: [name: string, bytes: Buffer, options: Options][] = [
    ['one that contains the text', text('a ready b'), { expected_message: 'ready' }],
    ['a later one', Buffer.concat([text('hello'), text('ready')]), { expected_message: 'ready' }],
    ['one of bytes', serverFrame(2, 'ready'), { expected_message: 'ready' }],
    ['one of 200 bytes', text(`${'x'.repeat(195)}ready`), { expected_message: 'ready' }],
    ['one of 70,000 bytes', text(`${long}ready`), { expected_message: 'ready' }],
    ['one that matches a pattern', text('{"price": 17.3}'), { message_pattern: '"price": \\d+' }],
    ['one that has both', text('ready 7'), { message_pattern: '\\d', expected_message: 'ready' }],
    [
      'one in pieces, with a ping between them',
      Buffer.concat([
        serverFrame(1, 're', false),
        serverFrame(9, 'p'),
        serverFrame(0, 'a', false),
        serverFrame(0, 'dy'),
      ]),
      { expected_message: 'ready' },
    ],
  ]
  for (const [name, bytes, options] of cases)
    it(`are awaited: ${name}`, async () => assert.deepEqual(short(await greeting(bytes, options)), ['up', null]))

  it('that are others are counted, and are in no verdict', async () => {
    const verdict = await greeting(Buffer.concat([text('a secret'), text('more')]), { expected_message: 'ready' }, 300)
    assert.deepEqual(short(verdict), ['down', 'Timed out after 300 ms while waiting for the expected message'])
    assert.deepEqual(verdict.details, { messages: 2 })
    assert.doesNotMatch(JSON.stringify(verdict), /a secret/)
  })

  it('that match no pattern make it down at the deadline', async () => {
    const verdict = await greeting(text('none'), { message_pattern: '\\d' }, 1000)
    assert.equal(verdict.error, 'Timed out after 1000 ms while waiting for the expected message')
  })

  it('do not count for a ping, and neither does the answer to another one', async () => {
    const greet = Buffer.concat([text('hello'), serverFrame(10, 'another')])
    const { port } = await websocketStandIn({ greet, answer: () => null })
    const verdict = await check({}, port, { timeoutMs: 300 })
    assert.deepEqual(short(verdict), ['down', 'Timed out after 300 ms while waiting for the answer to the ping'])
    const { port: better } = await websocketStandIn({ greet })
    assert.equal((await check({}, better)).status, 'up')
  })

  it('are preceded by an answer to each ping of the server', async () => {
    const pinging = await websocketStandIn({
      greet: serverFrame(9, 'are you there'),
      answer: ({ opcode }) => (opcode === 10 ? text('ready') : null),
    })
    assert.equal((await check({ expected_message: 'ready' }, pinging.port)).status, 'up')
    assert.equal(pinging.heard[0]?.payload.toString(), 'are you there')
  })
})

describe('a handshake that fails', () => {
  const cases: [name: string, open: (head: string) => string, error: string, options?: Options][] = [
    ['by its status', () => 'HTTP/1.1 404 Not Found\r\n\r\n', 'HTTP status 404, expected 101'],
    [
      'by a redirect, which is not followed',
      () => 'HTTP/1.1 301 Moved\r\nLocation: https://other.example/feed\r\n\r\n',
      'HTTP status 301, expected 101: it leads to "https://other.example/feed"',
    ],
    [
      'by another accept key',
      (head) => acceptHandshake(head, { 'Sec-WebSocket-Accept': acceptFor('another') }),
      'The answer does not belong to the handshake: its Sec-WebSocket-Accept is wrong',
    ],
    [
      'without an accept key',
      (head) => acceptHandshake(head, { 'Sec-WebSocket-Accept': null }),
      'The answer does not belong to the handshake: its Sec-WebSocket-Accept is wrong',
    ],
    [
      'by another protocol',
      (head) => acceptHandshake(head, { Upgrade: 'h2c' }),
      'The server changes to another protocol than WebSocket',
    ],
    [
      'without an upgrade of the connection',
      (head) => acceptHandshake(head, { Connection: 'keep-alive' }),
      'The server changes to another protocol than WebSocket',
    ],
    [
      'by extensions',
      (head) => acceptHandshake(head, { 'Sec-WebSocket-Extensions': 'permessage-deflate' }),
      'The server wants extensions that were not offered',
    ],
    [
      'by a subprotocol that was not offered',
      (head) => acceptHandshake(head, { 'Sec-WebSocket-Protocol': 'mqtt' }),
      'The server chooses a subprotocol that was not offered',
    ],
    [
      'without the subprotocol',
      (head) => acceptHandshake(head),
      'The server does not choose the subprotocol',
      { subprotocol: 'mqtt' },
    ],
    ['by no HTTP', () => 'SSH-2.0-OpenSSH_9.2\r\n', 'Not an answer of HTTP: "SSH-2.0-OpenSSH_9.2"'],
    ['by half of HTTP', () => 'HTTP/1.1 good\r\n\r\n', 'The headers of the answer to the handshake cannot be read'],
    [
      'by a header without a name',
      () => 'HTTP/1.1 101 OK\r\n: a\r\n\r\n',
      'The headers of the answer to the handshake cannot be read',
    ],
    [
      'by too many lines',
      () => `HTTP/1.1 101 OK\r\n${'a: b\r\n'.repeat(200)}\r\n`,
      'The answer to the handshake has more than 200 lines',
    ],
  ]
  for (const [name, open, error, options] of cases)
    it(name, async () => assert.deepEqual(short(await opening(open, options)), ['down', error]))

  it('tells its status', async () => {
    assert.equal((await opening(() => 'HTTP/1.1 403 Forbidden\r\n\r\n')).statusCode, 403)
  })

  it('tells no secret that the server repeats', async () => {
    const { port } = await websocketStandIn({
      open: () => 'HTTP/1.1 302 Found\r\nLocation: /sign-in?with=longtoken\r\n\r\n',
    })
    const { error } = await check({}, port, { requestHeaders: { authorization: 'Bearer longtoken' } })
    assert.equal(error, 'HTTP status 302, expected 101: it leads to "/sign-in?with=***"')
  })

  it('by no answer, or at a closed port', async () => {
    const { port } = await websocketStandIn({ open: () => null })
    assert.equal(
      (await check({}, port, { timeoutMs: 200 })).error,
      'Timed out after 200 ms while waiting for the answer to the handshake',
    )
    const closed = await freePort()
    assert.equal((await check({}, closed)).error, `Connection refused by 127.0.0.1:${closed}`)
  })
})

describe('a handshake that succeeds', () => {
  it('with hints before it, and headers in any case', async () => {
    const changes = { Upgrade: 'WebSocket', Connection: 'keep-alive, upgrade' }
    const verdict = await opening(
      (head) => `HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${acceptHandshake(head, changes)}`,
    )
    assert.deepEqual(short(verdict), ['up', null])
  })

  it('with the subprotocol', async () => {
    const standIn = await websocketStandIn({
      open: (head) => acceptHandshake(head, { 'Sec-WebSocket-Protocol': 'graphql-transport-ws' }),
    })
    assert.equal((await check({ subprotocol: 'graphql-transport-ws' }, standIn.port)).status, 'up')
    assert.match(standIn.heads[0] ?? '', /^sec-websocket-protocol: graphql-transport-ws$/m)
  })
})

describe('a WebSocket server that breaks the protocol', () => {
  const broken = 'The server breaks the protocol of WebSocket: it sent'
  const cases: [name: string, bytes: Buffer, error: string][] = [
    ['masks', Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5]), `${broken} a masked frame`],
    ['compresses', Buffer.from([0xc1, 1, 0x61]), `${broken} a frame with bits of extensions that were not agreed on`],
    ['has frames of its own', Buffer.from([0x83, 0]), `${broken} a frame of an unknown type`],
    ['pings too long', serverFrame(9, 'x'.repeat(126)), `${broken} a control frame that is too long or in pieces`],
    ['pings in pieces', serverFrame(9, 'x', false), `${broken} a control frame that is too long or in pieces`],
    ['goes on before it begins', serverFrame(0, 'x'), `${broken} a piece of a message out of its order`],
    [
      'begins twice',
      Buffer.concat([serverFrame(1, 'x', false), serverFrame(1, 'x')]),
      `${broken} a piece of a message out of its order`,
    ],
    ['sends no UTF-8', serverFrame(1, Buffer.from([0xc3])), 'The server sent a text that is not UTF-8'],
    [
      'sends too many frames',
      Buffer.alloc(2100, serverFrame(1, '')),
      'The server sent 1000 frames where the expected message was expected',
    ],
    ['says goodbye', serverFrame(8, Buffer.from([0x03, 0xf0])), 'The server closed the WebSocket with code 1008'],
    [
      'says why',
      serverFrame(8, Buffer.concat([Buffer.from([0x03, 0xf0]), Buffer.from('token expired')])),
      'The server closed the WebSocket with code 1008: "token expired"',
    ],
    ['says nothing', serverFrame(8, ''), 'The server closed the WebSocket without a code'],
  ]
  for (const [name, bytes, error] of cases)
    it(name, async () => assert.deepEqual(short(await greeting(bytes, { expected_message: 'ready' })), ['down', error]))

  it('announces more than is read', async () => {
    for (const head of [
      [0x81, 127, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff],
      [0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    ])
      assert.match(
        String((await greeting(Buffer.from(head), { expected_message: 'ready' })).error),
        /^127\.0\.0\.1:\d+ sent more than 256 KiB where the expected message was expected$/,
      )
  })

  it('is told the code for it', async () => {
    const standIn = await websocketStandIn({ greet: Buffer.from([0x83, 0]), answer: goodWebsocket })
    await check({ expected_message: 'ready' }, standIn.port)
    await until('the code to come', () => standIn.heard.length === 1)
    assert.deepEqual([standIn.heard[0]?.opcode, standIn.heard[0]?.payload.readUInt16BE(0)], [8, 1002])
  })
})

describe('the address of a WebSocket', () => {
  const cases: [address: string, problem: RegExp | null][] = [
    ['wss://live.example.com', null],
    ['WSS://live.example.com:8443/feed?a=b', null],
    ['ws://[::1]:80/', null],
    ['https://live.example.com', /^Must begin with wss:/],
    ['live.example.com', /^Must begin with wss:/],
    ['wss://ann:secret@live.example.com', /^Must not hold a user name or password/],
    ['wss://live.example.com/#a', /^Must have no part after #/],
    ['wss://live.example.com:0/', /^Must not use port 0/],
    ['ws://10.0.0.7/', /private|reserved/],
  ]
  for (const [address, problem] of cases)
    it(`${address} ${problem === null ? 'is taken' : 'is refused'}`, () => {
      const found = websocketTargetProblem(address, (host) => host === '10.0.0.7')
      if (problem === null) assert.equal(found, null)
      else assert.match(found ?? '', problem)
    })
})
