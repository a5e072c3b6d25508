import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { Verdict } from '#core/results/result.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { answering, grpcMessage, grpcStandIn, refusing, serving } from '../../../test/support/grpc-stand-in.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering as rawAnswer, rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { readHealthResponse } from './grpc-messages.ts'
import { grpc } from './grpc.ts'

type Options = Record<string, unknown>
type Answer = Parameters<typeof grpcStandIn>[0]

const { root, good, selfSigned } = testCertificates()
setDefaultCACertificates([root.pem])
const server = await grpcStandIn()

function check(options: Options = {}, port = server.port, wishes: Partial<CheckConfiguration> = {}): Promise<Verdict> {
  return checkOnce(grpc, { url: `grpc://127.0.0.1:${port}`, options, ...wishes })
}

async function differing(answer: Answer, wishes: Partial<CheckConfiguration> = {}): Promise<Verdict> {
  return check({}, (await grpcStandIn(answer)).port, wishes)
}

function short({ status, error }: Verdict): [string, string | null] {
  return [status, error]
}

describe('a gRPC server', () => {
  it('is up when it serves', async () => {
    const { status, error, statusCode, details, phases, latencyMs } = await check()
    assert.deepEqual([status, error, statusCode], ['up', null, 200])
    assert.deepEqual(details, { grpc_status: 'OK', serving_status: 'SERVING' })
    assert.ok(latencyMs !== null && phases.connectMs !== null && phases.ttfbMs !== null)
  })

  it('is asked as the health protocol says', async () => {
    server.calls.length = 0
    const requestHeaders = { Authorization: 'Bearer abc', 'Grpc-Timeout': '1S', TE: 'gzip', Host: 'orders.example' }
    assert.equal((await check({ service: 'shop.Orders' }, server.port, { requestHeaders })).status, 'up')
    const [call] = server.calls
    assert.deepEqual(Object.fromEntries(Object.entries(call?.headers ?? {})), {
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      ':scheme': 'http',
      ':authority': 'orders.example',
      'user-agent': 'Perigee/1 (+uptime check)',
      authorization: 'Bearer abc',
      te: 'trailers',
      'content-type': 'application/grpc',
      'grpc-timeout': '3000m',
    })
    assert.deepEqual(call?.body, grpcMessage([0x0a, 11, ...Buffer.from('shop.Orders')]))
    await check({ service: 'x'.repeat(256) })
    assert.deepEqual(server.calls[1]?.body.subarray(0, 8), Buffer.from([0, 0, 0, 1, 3, 0x0a, 0x80, 2]))
    await check()
    assert.deepEqual(server.calls[2]?.body, grpcMessage([]))
    assert.equal(server.calls[2]?.headers[':authority'], `127.0.0.1:${server.port}`)
  })

  it('is reached by TLS with grpcs, and its certificate is judged', async () => {
    const { port } = await grpcStandIn(serving, good)
    const { status, details } = await checkOnce(grpc, { url: `grpcs://127.0.0.1:${port}` })
    assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
    const other = await grpcStandIn(serving, selfSigned)
    const url = `grpcs://127.0.0.1:${other.port}`
    assert.match(String((await checkOnce(grpc, { url })).error), /certificate of 127\.0\.0\.1 is (?:self-signed|not)/)
    assert.deepEqual(other.calls, [])
    assert.equal((await checkOnce(grpc, { url, options: { accept_any_certificate: true } })).status, 'up')
    const authorities = { certificate_authorities: selfSigned.pem }
    assert.equal((await checkOnce(grpc, { url, options: authorities })).status, 'up')
  })

  it('that answers late is degraded', async () => {
    const { port } = await grpcStandIn((stream, call) => void setTimeout(() => serving(stream, call), 110))
    const verdict = await check({ max_latency_ms: 100 }, port)
    assert.deepEqual(short(verdict), ['degraded', 'The answer took longer than 100 ms'])
  })
})

describe('a gRPC server that is not in order', () => {
  const cases: [name: string, answer: Answer, error: string | RegExp][] = [
    ['does not serve', answering(grpcMessage([8, 2])), 'The server says NOT_SERVING, expected SERVING'],
    ['does not know', answering(grpcMessage([])), 'The server says UNKNOWN, expected SERVING'],
    ['has no such service', refusing('5', 'unknown service'), 'The server does not know the service'],
    [
      'has no health service',
      refusing('12'),
      'The server has no health service (grpc.health.v1.Health): UNIMPLEMENTED',
    ],
    ['is overloaded', refusing('14', 'try%20later'), 'The server refuses the call with UNAVAILABLE (14): "try later"'],
    ['has a status of its own', refusing('99'), 'The server refuses the call with an unknown status (99)'],
    ['cannot encode', refusing('16', '50%'), 'The server refuses the call with UNAUTHENTICATED (16): "50%"'],
    ['says nothing', answering(Buffer.alloc(0)), 'The answer of the health service cannot be read'],
    ['compresses', answering(Buffer.from([1, 0, 0, 0, 0])), 'The answer of the health service cannot be read'],
    [
      'is a web server',
      (stream) => {
        stream.respond({ ':status': 404, 'content-type': 'text/html' })
        stream.end('no')
      },
      'Not an answer of gRPC: HTTP status 404',
    ],
    [
      'does not say how it ended',
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
        stream.end(grpcMessage([8, 1]))
      },
      'The server does not say how the call ended',
    ],
    ['resets', (stream) => stream.close(11), 'The request was reset with ENHANCE_YOUR_CALM'],
    ['goes away', (stream) => stream.session?.goaway(2), /ended the connection with INTERNAL_ERROR/],
    ['hangs up', (stream) => void stream.session?.socket.destroy(), /closed the connection|reset/],
  ]
  for (const [name, answer, error] of cases)
    it(name, async () => {
      const verdict = await differing(answer)
      assert.equal(verdict.status, 'down')
      if (typeof error === 'string') assert.equal(verdict.error, error)
      else assert.match(String(verdict.error), error)
    })

  it('sends more than is read', async () => {
    const verdict = await differing((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
      stream.end(Buffer.alloc(100_000))
    })
    assert.match(String(verdict.error), /sent more than 64 KiB where the answer was expected/)
  })

  it('repeats a secret, which is in no verdict', async () => {
    const requestHeaders = { authorization: 'Bearer longtoken' }
    const { error } = await differing(refusing('16', 'no longtoken here'), { requestHeaders })
    assert.equal(error, 'The server refuses the call with UNAUTHENTICATED (16): "no *** here"')
  })

  it('speaks another protocol, is silent, or is not there', async () => {
    const web = await rawServer(rawAnswer('HTTP/1.1 400 Bad Request\r\n\r\n'))
    assert.equal((await check({}, web.port)).error, 'The server does not speak HTTP/2: it begins with "HTTP/1.1"')
    const silent = await rawServer(() => {})
    const { error } = await check({}, silent.port, { timeoutMs: 300 })
    assert.equal(error, 'Timed out after 300 ms while waiting for the answer')
    const port = await freePort()
    assert.equal((await check({}, port)).error, `Connection refused by 127.0.0.1:${port}`)
  })

  it('takes the call, and never answers', async () => {
    const { error } = await differing(() => {}, { timeoutMs: 300 })
    assert.equal(error, 'Timed out after 300 ms while waiting for the answer')
  })
})

describe('the answer of a health service', () => {
  const cases: [name: string, message: readonly number[], status: string | null][] = [
    ['the status alone', [8, 1], 'SERVING'],
    ['fields that are not known', [0x12, 2, 8, 2, 0x18, 0x96, 1, 8, 3, 0x25, 0, 0, 0, 0], 'SERVICE_UNKNOWN'],
    ['a status that is not known', [8, 7], null],
    ['a field that is cut off', [0x12, 9, 1], null],
    ['a number that is cut off', [8, 0x80], null],
    ['a group', [0x0b], null],
  ]
  for (const [name, message, status] of cases)
    it(`has ${name}`, () => assert.equal(readHealthResponse(grpcMessage(message)), status))
})

describe('the address of a gRPC server', () => {
  const cases: [address: string, problem: RegExp | null][] = [
    ['grpcs://api.example.com:443', null],
    ['GRPC://[::1]:50051/', null],
    ['https://api.example.com', /^Must begin with grpc:/],
    ['grpcs://api.example.com', /^Must name a host and a port/],
    ['grpcs://ann:secret@api.example.com:443', /^Must have no user and no password: they go to request_headers,/],
    ['grpcs://api.example.com:443/shop.Orders', /^Must have nothing after the port/],
    ['grpc://10.0.0.7:50051', /private|reserved/],
  ]
  for (const [address, problem] of cases)
    it(`${address} ${problem === null ? 'is taken' : 'is refused'}`, () => {
      const found = grpc.targetProblem(address, (host) => host === '10.0.0.7')
      if (problem === null) assert.equal(found, null)
      else assert.match(found ?? '', problem)
    })
})
