import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { createNet } from '#net/create-net.ts'
import { openConnection } from '#net/dial/connection.ts'
import { newSight, type Sight } from '#net/ground/sight.ts'
import { createTraffic, newTrace } from '#net/ground/trace.ts'
import { type Certificate, chainPem, makeCertificate } from '../../../test/support/certificates.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import type { TlsProbeOutcome } from './tls-probe.ts'
import { createTlsContext, secure, shakeHands } from './tls.ts'

const timeoutMs = 20_000
const traffic = createTraffic()
const net = createNet({ allowPrivate: 'all', traffic })

/** A certificate for localhost behind as many authorities, of which the last signed itself. */
function chainBehind(authorities: number): Certificate[] {
  let issuer = makeCertificate({ name: 'Authority 1', isAuthority: true })
  const chain = [issuer]
  for (let place = 2; place <= authorities; place += 1) {
    issuer = makeCertificate({ name: `Authority ${place}`, isAuthority: true, issuer })
    chain.unshift(issuer)
  }
  return [makeCertificate({ name: 'localhost', names: ['localhost'], issuer }), ...chain]
}

async function serve(chain: readonly Certificate[]): Promise<number> {
  const tls = { cert: chainPem(...chain), key: chain[0]?.keyPem ?? '' }
  return (await httpServer((_, response) => response.end(), { tls })).port
}

async function probe(port: number): Promise<{ outcome: TlsProbeOutcome; sight: Sight }> {
  const sight = newSight(true)
  const request = { host: 'localhost', port, timeoutMs }
  const outcome = await traffic.during(newTrace(null, null, sight), () =>
    net.tls(request, AbortSignal.timeout(timeoutMs)),
  )
  return { outcome, sight }
}

function chainIn(outcome: TlsProbeOutcome): string[] {
  return outcome.ok ? outcome.sight.chain.map(({ subject }) => subject) : assert.fail(outcome.failure.message)
}

describe('a chain of certificates', () => {
  it('is shown from the certificate of the server to its root, each of them once', async () => {
    const port = await serve(chainBehind(3))
    const startedAt = performance.now()
    const { outcome, sight } = await probe(port)
    assert.ok(outcome.latencyMs <= performance.now() - startedAt + 1, 'the time is that of the handshake')
    const shown = ['localhost', 'Authority 3', 'Authority 2', 'Authority 1']
    assert.deepEqual(chainIn(outcome), shown)
    assert.equal(outcome.ok && outcome.sight.problem?.code, 'certificate_untrusted')
    assert.deepEqual(
      sight.tls?.chain.map(({ subject }) => subject),
      shown,
    )
  })

  it('is kept as evidence with five of its certificates', async () => {
    const { sight } = await probe(await serve(chainBehind(6)))
    assert.deepEqual(
      sight.tls?.chain.map(({ subject }) => subject),
      ['localhost', 'Authority 6', 'Authority 5', 'Authority 4', 'Authority 3'],
    )
  })

  it('ends behind a hundred, however many a server sends', async () => {
    const { outcome } = await probe(await serve(chainBehind(101)))
    assert.equal(chainIn(outcome).length, 100)
  })
})

/** How often a server has said something, and whether nothing that it could say later matters. */
async function heardFrom(port: number): Promise<string[]> {
  const heard: string[] = []
  const enter = (isConclusive?: true): void => void heard.push(isConclusive === true ? 'the last word' : 'a word')
  const plain = openConnection({ address: '127.0.0.1', port, readBuffer: null, enter })
  await once(plain.socket, 'connect')
  const target = { host: 'localhost', label: 'localhost', context: createTlsContext() }
  const shaken = await shakeHands(plain, target, AbortSignal.timeout(timeoutMs))
  if (shaken.ok) shaken.socket.destroy()
  return heard
}

describe('a handshake', () => {
  it('has heard the last word where the certificate is not accepted', async () => {
    assert.deepEqual(await heardFrom(await serve(chainBehind(1))), ['the last word'])
  })

  it('has heard a word where a port speaks something else, and none where it closes', async () => {
    const other = await rawServer((socket) => void socket.write('220 mail.example ESMTP ready\r\n'))
    assert.deepEqual(await heardFrom(other.port), ['a word'])
    assert.deepEqual(await heardFrom((await rawServer(answering(''))).port), [])
  })

  it('is not begun when its deadline has passed, and leaves no connection', async () => {
    const { port } = await rawServer(() => {})
    const plain = openConnection({ address: '127.0.0.1', port, readBuffer: null })
    await once(plain.socket, 'connect')
    const target = { host: 'localhost', label: 'localhost', context: createTlsContext() }
    assert.deepEqual(await secure(plain, target, AbortSignal.abort()), { ok: false, failure: 'aborted' })
    assert.equal(plain.socket.destroyed, true)
  })
})
