import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { type sendUnaryData, type ServerUnaryCall, status } from '@grpc/grpc-js'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { Verdict } from '#core/results/result.ts'
import { grpc } from '#kinds/grpc/grpc.ts'
import { makeCertificate } from '../support/certificates.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { type GrpcPeer, startGrpc } from '../support/peers/grpc-server.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { startWs } from '../support/peers/ws-server.ts'
import { testCertificates } from '../support/test-certificates.ts'

type Call = ServerUnaryCall<unknown, unknown>
type Answer = sendUnaryData<unknown>

const skip = skipReason(['sshd'])
const orders = { service: 'shop.v1.Orders' }

describe('a grpc monitor at gRPC for Node', { skip }, async () => {
  const { root, good, expired, wrongName, selfSigned } = testCertificates()
  setDefaultCACertificates([root.pem])
  const open = await startGrpc()

  it('is up where the server serves, and its service', async () => {
    const { status: found, error, statusCode, details } = await check(open)
    assert.deepEqual([found, error, statusCode], ['up', null, 200])
    assert.deepEqual(details, { grpc_status: 'OK', serving_status: 'SERVING' })
    assert.equal(await errorOf(open, { options: orders }), null)
  })

  it('is down where the service does not serve, or is not known', async () => {
    const peer = await startGrpc()
    peer.health.setStatus('shop.v1.Orders', 'NOT_SERVING')
    assert.equal(await errorOf(peer, { options: orders }), 'The server says NOT_SERVING, expected SERVING')
    assert.equal(await errorOf(peer), null)
    assert.equal(await errorOf(peer, { options: { service: 'shop.v1.None' } }), 'The server does not know the service')
    peer.health.setStatus('', 'UNKNOWN')
    assert.equal(await errorOf(peer), 'The server says UNKNOWN, expected SERVING')
  })

  it('is down where there is no health service', async () => {
    const peer = await startGrpc({ hasHealth: false })
    assert.equal(await errorOf(peer), 'The server has no health service (grpc.health.v1.Health): UNIMPLEMENTED')
  })

  it('sends its metadata and its deadline, and tells what the server says without it', async () => {
    const peer = await startGrpc({
      check: ({ metadata }: Call, callback: Answer) => {
        const [token] = metadata.get('authorization')
        const [trace] = metadata.get('x-trace')
        if (trace === 'a' && token === 'Bearer longtoken') callback(null, { status: 'SERVING' })
        else callback({ code: status.UNAUTHENTICATED, details: `no ${String(token)} für hier` })
      },
    })
    const authorization = 'Bearer longtoken'
    assert.equal(await errorOf(peer, { requestHeaders: { Authorization: authorization, 'X-Trace': 'a' } }), null)
    assert.equal(
      await errorOf(peer, { requestHeaders: { authorization } }),
      'The server refuses the call with UNAUTHENTICATED (16): "no *** für hier"',
    )
  })

  it('is down where the server hangs, and degraded where it is slow', async () => {
    const hanging = await startGrpc({ check: () => {} })
    assert.match(
      String(await errorOf(hanging, { timeoutMs: 300 })),
      // The server knows the deadline, too, and may be the first to tell.
      /^(?:Timed out after 300 ms while waiting for the answer|The server refuses the call with DEADLINE_EXCEEDED \(4\).*|The request was reset with CANCEL)$/,
    )
    const slow = await startGrpc({
      check: (_: Call, callback: Answer) => setTimeout(() => callback(null, { status: 'SERVING' }), 150),
    })
    const verdict = await check(slow, { options: { max_latency_ms: 100 } })
    assert.deepEqual([verdict.status, verdict.error], ['degraded', 'The answer took longer than 100 ms'])
  })

  it('is down where the server goes away, and up again after', async () => {
    const peer: GrpcPeer = await startGrpc({ check: () => peer.server.forceShutdown() })
    assert.match(
      String(await errorOf(peer)),
      /closed the connection instead of sending the answer|was reset with|reset the connection|ended the (?:request|connection)/,
    )
    assert.match(String(await errorOf(peer)), /^Connection refused by 127/)
    assert.equal(await errorOf(open), null)
  })

  it('speaks TLS, and judges the certificate', async () => {
    const verdict = await secure(await startGrpc({ certificate: good }))
    assert.deepEqual([verdict.status, verdict.details['tls_protocol']], ['up', 'TLSv1.3'])
    const outdated = await startGrpc({ certificate: expired })
    assert.match(String((await secure(outdated)).error), /^The certificate of 127\.0\.0\.1 expired on/)
    const other = await startGrpc({ certificate: wrongName })
    assert.match(String((await secure(other)).error), /^The certificate is for other\.example, not for 127/)
    const own = await startGrpc({ certificate: selfSigned })
    assert.match(String((await secure(own)).error), /self-signed|not trusted/)
    assert.equal((await secure(own, { certificate_authorities: selfSigned.pem })).error, null)
    assert.equal((await secure(own, { accept_any_certificate: true })).error, null)
  })

  it('shows a certificate of its own where the server wants one', async () => {
    const authority = makeCertificate({ name: 'Clients', isAuthority: true })
    const client = makeCertificate({ name: 'watcher', issuer: authority })
    const peer = await startGrpc({ certificate: good, clientAuthority: authority })
    assert.equal((await secure(peer, { client_certificate: client.pem + client.keyPem })).error, null)
    assert.match(String((await secure(peer)).error), /asks for a TLS client certificate$/)
  })

  it('is down at other servers, and at TLS where none is expected', async () => {
    assert.match(
      String(await errorOf(await startOpenssh())),
      /^The server does not speak HTTP\/2: it begins with "SSH-/,
    )
    assert.match(
      String(await errorOf(await startWs())),
      /^The server does not speak HTTP\/2: it begins with "HTTP\/1\.1"$/,
    )
    const secured = await startGrpc({ certificate: good })
    assert.match(String(await errorOf(secured)), /closed the connection|reset|does not speak HTTP\/2/)
    const web = await startWs({ certificate: good })
    assert.match(String((await secure(web)).error), /refused the TLS handshake \(no application protocol\)$/)
    assert.match(String((await secure(open)).error), /does not speak TLS|closed the connection|Timed out/)
  })
})

function check({ port }: { port: number }, wishes: Partial<CheckConfiguration> = {}): Promise<Verdict> {
  return checkOnce(grpc, { url: `grpc://127.0.0.1:${port}`, ...wishes })
}

function secure({ port }: { port: number }, options: Record<string, unknown> = {}): Promise<Verdict> {
  return checkOnce(grpc, { url: `grpcs://127.0.0.1:${port}`, options, timeoutMs: 1500 })
}

async function errorOf(...given: Parameters<typeof check>): Promise<string | null> {
  return (await check(...given)).error
}
