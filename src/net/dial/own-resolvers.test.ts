import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { answerOf, failureOf, get } from '../../../test/support/net.ts'
import { createNet } from '#net/create-net.ts'
import { createTraffic, newTrace, type Trace } from '#net/ground/trace.ts'
import { createGuard } from './guard.ts'
import { createOwnResolvers } from './own-resolvers.ts'

const answering = (name: string): ReturnType<Parameters<typeof dnsServer>[0]> => {
  if (name === 'shop.example' || name === 'localhost') return { addresses: ['127.0.0.1'] }
  if (name === 'inside.example') return { addresses: ['10.0.0.1'] }
  return name === 'broken.example' ? 'servfail' : 'nxdomain'
}

describe('a name server of a monitor', async () => {
  const own = await dnsServer(answering)
  const other = await dnsServer(() => 'nxdomain')
  const { port } = await httpServer((_, response) => void response.end('here'))
  const options = { allowPrivate: ['127.0.0.0/8'], dnsServers: [other.address] }

  it('is asked in place of those of the location', async () => {
    const { text } = answerOf(await get(`http://shop.example:${port}/`, { resolver: own.address }, options))
    assert.equal(text, 'here')
    assert.deepEqual(other.questions, [])
    assert.equal(failureOf(await get(`http://shop.example:${port}/`, {}, options)).code, 'dns_not_found')
  })

  it('is asked whatever stands in the hosts file', async () => {
    own.questions.length = 0
    await get(`http://localhost:${port}/`, { resolver: own.address, family: 4 }, options)
    assert.deepEqual(own.questions, ['A localhost'])
  })

  it('leads to no address that may not be checked', async () => {
    const failure = failureOf(await get('http://inside.example/', { resolver: own.address }, options))
    assert.equal(failure.code, 'forbidden_address')
  })

  it('is asked only at an address that may be dialled', async () => {
    const failure = failureOf(await get('http://shop.example/', { resolver: '10.1.1.1' }, options))
    assert.deepEqual(
      [failure.code, failure.phase, failure.message],
      [
        'forbidden_address',
        'dns',
        '10.1.1.1 is a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS',
      ],
    )
  })

  it('is not this service itself', () => {
    const asked = createOwnResolvers(createGuard('all', { ownPorts: [5353] }))('127.0.0.1:5353')
    assert.deepEqual(asked, {
      ok: false,
      failure: {
        phase: 'dns',
        code: 'forbidden_address',
        message: '127.0.0.1:5353 is Perigee itself, which is not checked',
      },
    })
  })

  it('is kept with what it knows, among a hundred at most', () => {
    const resolverFor = createOwnResolvers(createGuard('all'))
    const first = resolverFor('192.0.2.1')
    for (let last = 1; last <= 99; last += 1) resolverFor(`198.51.100.${last}`)
    assert.equal(resolverFor('192.0.2.1'), first)
    resolverFor('203.0.113.1')
    assert.notEqual(resolverFor('192.0.2.1'), first)
  })

  const told: [
    name: string,
    expected: Pick<Trace, 'unresolved' | 'isNamed' | 'isConclusive'> & { isHeard: boolean },
  ][] = [
    ['gone.example', { unresolved: null, isNamed: false, isConclusive: true, isHeard: true }],
    ['broken.example', { unresolved: null, isNamed: false, isConclusive: false, isHeard: true }],
    ['shop.example', { unresolved: null, isNamed: false, isConclusive: false, isHeard: true }],
  ]
  for (const [name, expected] of told)
    it(`speaks for the target and not for the location when it is asked for ${name}`, async () => {
      const traffic = createTraffic()
      const trace = newTrace()
      const net = createNet({ ...options, traffic })
      const request = { method: 'GET', headers: {}, body: null, maxRedirects: 0, headersOnly: true }
      const limits = { maxBodyBytes: 0, maxWireBytes: 10_000, resolver: own.address }
      const url = new URL(`http://${name}:${port}/`)
      await traffic.during(trace, () => net.http({ url, ...request, ...limits }, AbortSignal.timeout(5_000)))
      const { unresolved, isNamed, isConclusive, heardMs, addresses } = trace
      assert.deepEqual({ unresolved, isNamed, isConclusive, isHeard: heardMs !== null }, expected)
      assert.ok(addresses.has('127.0.0.1'), 'the address of the name server is one that the check depends on')
    })
})
