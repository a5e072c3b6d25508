import assert from 'node:assert/strict'
import { constants, randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { after, describe, it } from 'node:test'
import { setDefaultCACertificates, TLSSocket } from 'node:tls'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { Verdict } from '#core/results/result.ts'
import type { AnyKind } from '#kinds/kind.ts'
import type { Net } from '#net/net.ts'
import { createNet } from '#net/create-net.ts'
import { chainPem, makeCertificate } from '../../../test/support/certificates.ts'
import { configurationOf } from '../../../test/support/check.ts'
import { http2Server } from '../../../test/support/http2-server.ts'
import { openNet } from '../../../test/support/net.ts'
import { portOf } from '../../../test/support/raw-server.ts'
import { seenCertificate, testCertificates } from '../../../test/support/test-certificates.ts'
import { api } from './api.ts'
import { http } from './http.ts'
import { lookResumed } from './resumption.ts'

const { root, good } = testCertificates()
setDefaultCACertificates([root.pem])
const other = makeCertificate({ name: 'localhost', names: ['localhost'], issuer: root })
const resuming = { resume_tls: true }

type Handler = (request: IncomingMessage, response: ServerResponse, isResumed: boolean) => void
type Site = { url: string; handshakes: ('full' | 'resumed')[]; replaceCertificate: () => void }

function resumedOf({ socket }: { socket: unknown }): boolean {
  return socket instanceof TLSSocket && socket.isSessionReused()
}

/** Tells of each request by which handshake its connection came about. */
async function site(
  options: { answer?: Handler } & Pick<ServerOptions, 'maxVersion' | 'secureOptions'> = {},
): Promise<Site> {
  const { answer = (_, response) => void response.end('ok'), ...tls } = options
  const handshakes: Site['handshakes'] = []
  // The server keeps its keys with the other certificate, as where several servers share them.
  const ticketKeys = randomBytes(48)
  const server = createServer({ cert: chainPem(good), key: good.keyPem, ticketKeys, ...tls }, (request, response) => {
    const isResumed = resumedOf(request)
    handshakes.push(isResumed ? 'resumed' : 'full')
    answer(request, response, isResumed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `https://localhost:${portOf(server)}/`,
    handshakes,
    replaceCertificate: () => server.setSecureContext({ cert: chainPem(other), key: other.keyPem, ticketKeys, ...tls }),
  }
}

type Watching = { check: () => Promise<Verdict> }

type Wishes = Partial<Omit<CheckConfiguration, 'kind'>> & { kind?: AnyKind; net?: Net }

/** Checks of one monitor, one after the other, as a location makes them. */
function watch(url: string, { kind = http, net = openNet, ...wishes }: Wishes): Watching {
  const configuration = configurationOf(kind, { options: resuming, ...wishes, url })
  return { check: () => kind.check(configuration, net, AbortSignal.timeout(configuration.timeoutMs)) }
}

async function statusesOf({ check }: Watching, times: number): Promise<string[]> {
  const found: string[] = []
  for (let made = 0; made < times; made += 1) {
    const { status, details } = await check()
    found.push(details['tls_resumed'] === true ? `${status}, resumed` : status)
  }
  return found
}

const nineResumed = Array.from({ length: 9 }, () => 'resumed' as const)

describe('a check of a monitor that resumes TLS', () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    it(`takes up the session of the check before, and makes each tenth handshake in full, by ${maxVersion}`, async () => {
      const { url, handshakes } = await site({ maxVersion })
      const told = await statusesOf(watch(url, {}), 12)
      assert.deepEqual(handshakes, ['full', ...nineResumed, 'full', 'resumed'])
      assert.deepEqual(
        told,
        handshakes.map((handshake) => (handshake === 'full' ? 'up' : 'up, resumed')),
      )
    })

  it('tells the end of the certificate of the full handshake', async () => {
    const { check } = watch((await site()).url, {})
    const [full, resumed] = [await check(), await check()]
    assert.equal(resumed.details['tls_resumed'], true)
    assert.deepEqual(resumed.expiry, full.expiry)
    assert.ok(resumed.expiry?.certificate?.notAfter)
  })

  it('does so by HTTP/2', async () => {
    const { port } = await http2Server(good, (_, response) => void response.end('ok'))
    const monitor = watch(`https://localhost:${port}/`, { options: { ...resuming, http2: true } })
    assert.deepEqual(await statusesOf(monitor, 2), ['up', 'up, resumed'])
  })

  it('keeps a session of each host that redirects lead to', async () => {
    const inside = await site()
    const { url, handshakes } = await site({
      answer: (_, response) => void response.writeHead(302, { location: inside.url }).end(),
    })
    assert.deepEqual(await statusesOf(watch(url, {}), 2), ['up', 'up, resumed'])
    assert.deepEqual(
      [handshakes, inside.handshakes],
      [
        ['full', 'resumed'],
        ['full', 'resumed'],
      ],
    )
  })

  it('notices a certificate that was replaced with the tenth check at the latest', async () => {
    const { url, replaceCertificate } = await site()
    const options = { ...resuming, certificate_sha256: new X509Certificate(good.pem).fingerprint256 }
    const monitor = watch(url, { options })
    assert.deepEqual(await statusesOf(monitor, 1), ['up'])
    replaceCertificate()
    assert.deepEqual(await statusesOf(monitor, 10), [...nineResumed.map((way) => `up, ${way}`), 'down'])
  })

  it('shares no session with another monitor', async () => {
    const { url, handshakes } = await site()
    await statusesOf(watch(url, {}), 1)
    await statusesOf(watch(url, {}), 1)
    assert.deepEqual(handshakes, ['full', 'full'])
  })
})

describe('a check that is not up', () => {
  it('is made again in full, and only that one counts', async () => {
    const state = { isWell: true }
    const { url, handshakes } = await site({
      answer: (_, response) => void response.writeHead(state.isWell ? 200 : 500).end(),
    })
    const monitor = watch(url, {})
    await statusesOf(monitor, 2)
    state.isWell = false
    assert.deepEqual(await statusesOf(monitor, 2), ['down', 'down'])
    state.isWell = true
    assert.deepEqual(await statusesOf(monitor, 2), ['up', 'up, resumed'])
    assert.deepEqual(handshakes, ['full', 'resumed', 'resumed', 'full', 'full', 'full', 'resumed'])
  })

  it('is up when only resumed sessions fail', async () => {
    const { url, handshakes } = await site({
      answer: ({ socket }, response, isResumed) => (isResumed ? socket.destroy() : void response.end('ok')),
    })
    assert.deepEqual(await statusesOf(watch(url, {}), 2), ['up', 'up'])
    assert.deepEqual(handshakes, ['full', 'resumed', 'full'])
  })

  it('is not made again once its time is over', async () => {
    const { url, handshakes } = await site({
      answer: (_, response, isResumed) => (isResumed ? undefined : void response.end('ok')),
    })
    const monitor = watch(url, { timeoutMs: 300 })
    assert.deepEqual(await statusesOf(monitor, 3), ['up', 'down', 'up'])
    assert.deepEqual(handshakes, ['full', 'resumed', 'full'])
  })
})

describe('handshakes are full', () => {
  const never: [what: string, wishes: Wishes][] = [
    ['where nothing is said', { options: {} }],
    ['where the monitor says so against its location', { options: { resume_tls: false }, net: resumingNet() }],
    ['for a method that may change something', { method: 'POST' }],
  ]
  for (const [what, wishes] of never)
    it(what, async () => {
      const { url, handshakes } = await site()
      assert.deepEqual(await statusesOf(watch(url, wishes), 3), ['up', 'up', 'up'])
      assert.deepEqual(handshakes, ['full', 'full', 'full'])
    })

  it('where the server takes up none', async () => {
    const { url, handshakes } = await site({ secureOptions: constants.SSL_OP_NO_TICKET })
    assert.deepEqual(await statusesOf(watch(url, {}), 3), ['up', 'up', 'up'])
    assert.deepEqual(handshakes, ['full', 'full', 'full'])
  })

  it('once the certificate has ended that the session was made with', async () => {
    const configuration = {}
    const found: boolean[] = []
    const session = Buffer.from('session')
    const lookWith = (notAfter: number): Promise<void> =>
      lookResumed(
        configuration,
        async ({ find, keep }) => {
          found.push(find('a:443') !== null)
          keep('a:443', { session, certificate: { ...seenCertificate, notAfter: new Date(notAfter).toISOString() } })
        },
        { isUp: () => true, signal: AbortSignal.timeout(1_000) },
      )
    await lookWith(Date.now() + 60_000)
    await lookWith(Date.now() - 1)
    await lookWith(Date.now() - 1)
    assert.deepEqual(found, [false, true, false])
  })
})

describe('the default of a location', () => {
  for (const kind of [http, api])
    it(`counts for each ${kind.name} monitor that says nothing`, async () => {
      const { url } = await site()
      assert.deepEqual(await statusesOf(watch(url, { kind, options: {}, net: resumingNet() }), 2), [
        'up',
        'up, resumed',
      ])
    })
})

function resumingNet(): Net {
  return createNet({ allowPrivate: 'all', resumesTls: true })
}
