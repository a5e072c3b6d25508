import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { createSecureContext, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { openNet } from '../../../test/support/net.ts'
import { chainPem } from '../../../test/support/certificates.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { openFailure } from './reply-failure.ts'
import type { Peer, TalkOutcome, TalkRequest } from './talk.ts'

const { root, good, selfSigned } = testCertificates()
setDefaultCACertificates([root.pem])

type Wish = Partial<TalkRequest> & { speak: (peer: Peer) => Promise<void> }

function talk(port: number, wish: Wish, signal = AbortSignal.timeout(3000)): Promise<TalkOutcome> {
  const request = { host: '127.0.0.1', port, security: 'none', maxBytes: 1024, timeoutMs: 3000, ...wish } as const
  return openNet.talk(request, signal)
}

function messageOf(outcome: TalkOutcome): string | null {
  return outcome.ok ? null : outcome.failure.message
}

/** Says `agreed` once it was asked, and then speaks TLS. */
async function upgrading(agreed: string, certificate = good): Promise<number> {
  const secureContext = createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })
  const { port } = await rawServer((socket) => {
    socket.once('data', () => {
      socket.write(agreed)
      const secured = new TLSSocket(socket, { isServer: true, secureContext })
      secured.on('error', () => {})
      secured.once('data', () => secured.end('within\n'))
    })
  })
  return port
}

async function line(peer: Peer): Promise<void> {
  await peer.takeLine('the line')
}

async function upgrade(peer: Peer): Promise<void> {
  peer.send(Buffer.from('?'))
  await peer.take(1, 'the agreement')
  await peer.startTls()
  peer.send(Buffer.from('!'))
  assert.equal(await peer.takeLine('the line'), 'within')
}

describe('a talk', () => {
  it('takes bytes and lines in the order in which they come, however they are cut', async () => {
    // Each time begins with a question, so that a busy machine makes it longer and never shorter.
    const pieces = [
      ['ab', 'cone\r'],
      ['\ntwo', '\nre', 'st'],
    ]
    const { port } = await rawServer((socket) => {
      socket.on('data', () => {
        for (const [index, piece] of (pieces.shift() ?? []).entries()) setTimeout(() => socket.write(piece), index * 20)
      })
    })
    const taken: string[] = []
    const outcome = await talk(port, {
      speak: async (peer) => {
        peer.send(Buffer.from('?'))
        taken.push((await peer.take(3, 'three')).toString())
        peer.beginWork()
        peer.send(Buffer.from('!'))
        taken.push(await peer.takeLine('one'), await peer.takeLine('two'), (await peer.take(4, 'four')).toString())
      },
    })
    assert.deepEqual(taken, ['abc', 'one', 'two', 'rest'])
    assert.ok(outcome.ok)
    assert.equal(outcome.address, '127.0.0.1')
    const { ttfbMs, transferMs } = outcome.phases
    assert.ok(ttfbMs !== null && ttfbMs >= 10 && transferMs !== null && transferMs >= 20, `${ttfbMs} ${transferMs}`)
  })

  it('ends with the text of a fault, and rejects with a bug', async () => {
    const { port } = await rawServer(() => {})
    const outcome = await talk(port, { speak: (peer) => Promise.reject(peer.fault('No good')) })
    assert.ok(!outcome.ok)
    assert.deepEqual(outcome.failure, { phase: 'request', code: 'unexpected_reply', message: 'No good' })
    await assert.rejects(talk(port, { speak: () => Promise.reject(new TypeError('a bug')) }), /a bug/)
  })

  it('takes no more than its limit, and waits for nothing beyond it', async () => {
    const { port } = await rawServer((socket) => void socket.write('x'.repeat(2000)))
    const text = `127.0.0.1:${port} sent more than 1 KiB where the text was expected`
    assert.equal(messageOf(await talk(port, { speak: async (peer) => void (await peer.takeLine('the text')) })), text)
    assert.equal(messageOf(await talk(port, { speak: async (peer) => void (await peer.take(1025, 'the text')) })), text)
    const { port: silent } = await rawServer(() => {})
    const early = await talk(silent, { speak: async (peer) => void (await peer.take(1025, 'the text')) })
    assert.match(String(messageOf(early)), /sent more than 1 KiB/)
  })

  it('says how the connection ended', async () => {
    const closing = await rawServer((socket) => void socket.end('ab'))
    const from = `127.0.0.1:${closing.port} closed the connection`
    assert.equal(messageOf(await talk(closing.port, { speak: line })), `${from} in the middle of the line`)
    const after = async (peer: Peer): Promise<void> => {
      await peer.take(2, 'two')
      await line(peer)
    }
    assert.equal(messageOf(await talk(closing.port, { speak: after })), `${from} instead of sending the line`)
    const resetting = await rawServer((socket) => void socket.resetAndDestroy())
    assert.match(String(messageOf(await talk(resetting.port, { speak: line }))), /^The connection was reset by/)
    const silent = await rawServer(() => {})
    const late = await talk(silent.port, { speak: line, timeoutMs: 100 }, AbortSignal.timeout(100))
    assert.equal(messageOf(late), 'Timed out after 100 ms while waiting for the line')
  })

  it('begins TLS where it is told to', async () => {
    const outcome = await talk(await upgrading('S'), { security: 'upgrade', speak: upgrade })
    assert.equal(messageOf(outcome), null)
    assert.equal(outcome.tls?.protocol, 'TLSv1.3')
    assert.notEqual(outcome.phases.tlsMs, null)
  })

  it('refuses what was inserted before TLS began', async () => {
    const port = await upgrading('Sand more')
    assert.equal(
      messageOf(await talk(port, { security: 'upgrade', speak: upgrade })),
      `127.0.0.1:${port} sent more in clear text after it had agreed to TLS, as an attacker on the way would`,
    )
  })

  it('tells nothing to a server whose certificate is not accepted', async () => {
    const port = await upgrading('S', selfSigned)
    const text = 'The certificate of 127.0.0.1 is self-signed and not trusted'
    assert.equal(messageOf(await talk(port, { security: 'upgrade', speak: upgrade })), text)
    const tls = { authorities: selfSigned.pem }
    assert.equal(messageOf(await talk(port, { security: 'upgrade', speak: upgrade, tls })), null)
    assert.equal(messageOf(await talk(port, { security: 'upgrade', speak: upgrade, tls: { acceptsAny: true } })), null)
    const broken = { client: 'no certificate' }
    const unusable = await talk(port, { security: 'upgrade', speak: upgrade, tls: broken })
    assert.match(String(messageOf(unusable)), /^The monitor's own certificates cannot be used/)
  })

  it('closes the connection in the end, however it went', async () => {
    const closed: Promise<unknown>[] = []
    const { port } = await rawServer((socket: Socket) => {
      socket.resume()
      closed.push(once(socket, 'close'))
    })
    await talk(port, { speak: () => Promise.resolve() })
    await talk(port, { speak: (peer) => Promise.reject(peer.fault('No good')) })
    await assert.rejects(talk(port, { speak: () => Promise.reject(new TypeError('a bug')) }))
    assert.equal((await Promise.all(closed)).length, 3)
  })
})

describe('clear text', () => {
  it('is for addresses that are not public', () => {
    assert.equal(openFailure('10.0.0.1', 'a:1'), null)
    assert.equal(openFailure('::1', 'a:1'), null)
    assert.deepEqual(openFailure('8.8.8.8', 'a:1'), {
      phase: 'connect',
      code: 'tls_required',
      message: 'a:1 is at a public address, to which nothing is said without TLS',
    })
  })
})
