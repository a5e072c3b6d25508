import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type RequestOptions } from 'node:https'
import { describe, it } from 'node:test'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { type OwnTls, createOwnContexts } from './own-tls.ts'

const root = makeCertificate({ name: 'Own root', isAuthority: true })
const server = makeCertificate({ name: 'localhost', names: ['localhost'], issuer: root })
const client = makeCertificate({ name: 'Perigee', issuer: root })
const host = 'localhost'
const shown = client.keyPem + client.pem

describe('how TLS is spoken with a host', async () => {
  const { port } = await httpServer(
    ({ socket }, response) => {
      assert.ok(socket instanceof TLSSocket)
      response.end(socket.getPeerCertificate().subject?.CN ?? 'a stranger')
    },
    { tls: { cert: server.pem, key: server.keyPem, ca: root.pem, requestCert: true, rejectUnauthorized: false } },
  )

  /** Whom the server takes us for, and whether we trust it. */
  async function meet(own: Omit<OwnTls, 'host'>): Promise<[name: string, isTrusted: boolean]> {
    const made = createOwnContexts()({ host, ...own })
    assert.ok(made.ok)
    const options: RequestOptions & { secureContext: unknown } = {
      host,
      port,
      agent: false,
      rejectUnauthorized: false,
      secureContext: made.context,
    }
    const [answer] = await once(get(options), 'response')
    return [await text(answer), answer.socket.authorized]
  }

  it('has the authorities of this machine, and shows nothing', async () =>
    assert.deepEqual(await meet({}), ['a stranger', false]))
  it('has authorities of its own', async () =>
    assert.deepEqual(await meet({ authorities: root.pem }), ['a stranger', true]))
  it('shows a certificate of its own', async () => assert.deepEqual(await meet({ client: shown }), ['Perigee', false]))
  it('has both', async () => assert.deepEqual(await meet({ authorities: root.pem, client: shown }), ['Perigee', true]))
})

describe('the contexts of monitors', () => {
  it('are kept by what is in them, whatever the host', () => {
    const contextOf = createOwnContexts()
    const first = contextOf({ host, authorities: root.pem })
    assert.equal(contextOf({ host: 'other.example', authorities: root.pem, acceptsAny: true }), first)
    assert.notEqual(contextOf({ host, authorities: root.pem, client: shown }), first)
    assert.notEqual(contextOf({ host }), first)
    assert.notEqual(createOwnContexts()({ host, authorities: root.pem }), first)
  })

  it('are at most 100, of which the one goes that was not used for the longest time', () => {
    const contextOf = createOwnContexts()
    const made = Array.from({ length: 100 }, (_, number) => contextOf(numbered(number)))
    assert.equal(contextOf(numbered(0)), made[0])
    contextOf(numbered(100))
    assert.equal(contextOf(numbered(0)), made[0])
    assert.equal(contextOf(numbered(2)), made[2])
    assert.notEqual(contextOf(numbered(1)), made[1])
  })

  it('say what OpenSSL does not take', () => {
    const strange = makeCertificate({ name: 'Stranger' })
    assert.deepEqual(createOwnContexts()({ host, client: client.pem + strange.keyPem }), {
      ok: false,
      failure: {
        phase: 'tls',
        code: 'own_certificates',
        message: "The monitor's own certificates cannot be used (ERR_OSSL_X509_KEY_VALUES_MISMATCH)",
      },
    })
  })
})

function numbered(number: number): OwnTls {
  return { host, authorities: `${root.pem}# ${number}\n` }
}
