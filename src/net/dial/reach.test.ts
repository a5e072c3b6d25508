import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { type Sight, newSight } from '#net/ground/sight.ts'
import { createTraffic, newTrace, type Trace, type Traffic } from '#net/ground/trace.ts'
import { createOwnContexts } from '#net/tls/own-tls.ts'
import { createTlsContext } from '#net/tls/tls.ts'
import { createReadBuffer, discard } from './connection.ts'
import { createGuard, type Guard } from './guard.ts'
import { noTimes } from './phase-times.ts'
import { labelOf, locate, reach, type Target, tellFailure, tellUnresolved, untilAborted } from './reach.ts'
import { createOwnResolvers } from '#net/dial/own-resolvers.ts'
import { createResolver } from './resolve.ts'

const anywhere = createGuard('all')
const never = new AbortController().signal

/** What a check's trace says after something was told of it. */
async function traced(tell: (traffic: Traffic) => void): Promise<Partial<Trace> & { isHeard: boolean }> {
  const traffic = createTraffic()
  const trace = newTrace()
  await traffic.during(trace, async () => tell(traffic))
  const { unresolved, noRoute, isConclusive, isNamed, heardMs } = trace
  return { unresolved, noRoute, isConclusive, isNamed, isHeard: heardMs !== null }
}

const nothing = { unresolved: null, noRoute: null, isConclusive: false, isNamed: false, isHeard: false }

describe('a check is told', () => {
  const looks: [code: string, told: Partial<Trace>][] = [
    ['dns_unreachable', { unresolved: 'unreachable', isNamed: true }],
    ['timed_out', { unresolved: 'silent', isNamed: true }],
    ['dns_timed_out', { unresolved: 'silent', isNamed: true }],
    ['dns_server_failed', { unresolved: 'troubled', isNamed: true }],
    ['dns_refused', { unresolved: 'troubled', isNamed: true }],
    ['dns_not_found', { isConclusive: true }],
    ['dns_no_address', { isConclusive: true }],
    ['dns_malformed', {}],
  ]
  for (const [code, told] of looks)
    it(`of a look-up that failed by ${code}`, async () => {
      const failure = { code, message: '' }
      const [look, other] = await Promise.all(
        (['dns', 'connect'] as const).map((phase) =>
          traced((traffic) => tellUnresolved(traffic, { ...failure, phase })),
        ),
      )
      assert.deepEqual([look, other], [{ ...nothing, ...told }, nothing])
    })

  const dials: [code: string, told: Partial<Trace> & { isHeard?: boolean }][] = [
    ['connection_refused', { isHeard: true, isConclusive: true }],
    ['connection_reset', { isHeard: true }],
    ['network_unreachable', { noRoute: [4, 6] }],
    ['timed_out', {}],
  ]
  for (const [code, told] of dials)
    it(`of a connection that failed by ${code}`, async () => {
      const failure = { phase: 'connect' as const, code, message: '' }
      const addresses = ['192.0.2.1', '2001:db8::1', '192.0.2.2']
      assert.deepEqual(await traced((traffic) => tellFailure(traffic, failure, addresses)), { ...nothing, ...told })
    })
})

type Asked = { guard?: Guard; dnsServers?: readonly string[] }

function partsOf({ guard = anywhere, dnsServers = [] }: Asked, traffic = createTraffic()) {
  const resolver = createResolver({ servers: dnsServers })
  return {
    guard,
    resolver,
    traffic,
    readBuffer: createReadBuffer(),
    tlsContext: createTlsContext,
    ownContext: createOwnContexts(),
    ownResolver: createOwnResolvers(guard),
  }
}

/** The addresses of a target, or why it has none. */
async function found(host: string, port: number | null, asked: Asked = {}): Promise<unknown> {
  const target = { host, port, isFresh: false, timeoutMs: 1000 }
  const located = await locate(partsOf(asked), target, { signal: never, times: noTimes() })
  return located.ok ? located.addresses : [located.failure.code, located.failure.message.split(',')[0]]
}

describe('a target is located', () => {
  const inside = createGuard('none')
  const own = createGuard('all', { ownPorts: [3000] })
  const hiding = createGuard('none', { hidesInternal: true })

  it('at a literal address that may be dialled', async () => {
    assert.deepEqual(await found('127.0.0.1', 80), ['127.0.0.1'])
    assert.deepEqual(await found('::1', null), ['::1'])
    const refused = ['forbidden_address', '127.0.0.1 is a private or reserved address']
    for (const guard of [inside, hiding]) assert.deepEqual(await found('127.0.0.1', 80, { guard }), refused)
  })

  it('at no port 0, and not where the service itself listens', async () => {
    assert.deepEqual(await found('127.0.0.1', 0), ['forbidden_port', 'Port 0 of 127.0.0.1 cannot be dialled'])
    const refused = ['forbidden_address', '127.0.0.1:3000 is Perigee itself']
    assert.deepEqual(await found('127.0.0.1', 3000, { guard: own }), refused)
    assert.deepEqual(await found('127.0.0.1', 3001, { guard: own }), ['127.0.0.1'])
    assert.deepEqual(await found('127.0.0.1', null, { guard: own }), ['127.0.0.1'])
  })

  it('at those of its addresses that may be dialled', async () => {
    const { address } = await dnsServer((_, type) => ({ addresses: type === 'A' ? ['127.0.0.1', '192.0.2.1'] : [] }))
    const guard = createGuard(['192.0.2.0/24'])
    assert.deepEqual(await found('a.example', 80, { guard, dnsServers: [address] }), ['192.0.2.1'])
    assert.deepEqual(await found('b.example', 80, { guard: inside, dnsServers: [address] }), [
      'forbidden_address',
      'b.example leads to 127.0.0.1',
    ])
    assert.deepEqual(await found('b.example', 80, { guard: hiding, dnsServers: [address] }), [
      'forbidden_address',
      'b.example leads to a private or reserved address',
    ])
  })
})

/** What is seen of it, and why it is not reached. */
async function seen(target: Partial<Target>, isSeen = true): Promise<[Sight | null, string | null]> {
  const sight = isSeen ? newSight(false) : null
  const whole = { host: '127.0.0.1', port: 1, isTls: false, isFresh: false, timeoutMs: 1000, sight, ...target }
  const reached = await reach(partsOf({}), whole, { signal: never, times: noTimes() })
  if (reached.ok) discard(reached.connection)
  return [sight, reached.ok ? null : reached.failure.code]
}

describe('a target is reached', () => {
  it('and what is seen on the way is kept where it is to be', async () => {
    const { port } = await rawServer(() => {})
    const [reached, none] = await seen({ port })
    assert.deepEqual([reached?.dialled, reached?.failure, none], [['127.0.0.1'], null, null])
    const [refused, code] = await seen({ port: await freePort() })
    assert.deepEqual([refused?.dialled, refused?.failure?.code, code], [['127.0.0.1'], code, 'connection_refused'])
    const [forbidden, why] = await seen({ port: 0 })
    assert.deepEqual([forbidden?.dialled, forbidden?.failure?.code, why], [[], why, 'forbidden_port'])
    assert.deepEqual(await seen({ port }, false), [null, null])
    assert.deepEqual(await seen({ port: 0 }, false), [null, 'forbidden_port'])
  })
})

it('a place is named with brackets around IPv6', () =>
  assert.deepEqual([labelOf('a.example', 80), labelOf('::1', 443)], ['a.example:80', '[::1]:443']))

it('what is awaited ends with its deadline', async () => {
  const { promise } = Promise.withResolvers<string>()
  const ending = new AbortController()
  const waiting = untilAborted(promise, ending.signal)
  ending.abort()
  assert.deepEqual(
    [await waiting, await untilAborted(promise, ending.signal), await untilAborted(Promise.resolve('a'), never)],
    ['aborted', 'aborted', 'a'],
  )
})
