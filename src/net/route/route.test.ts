import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { openNet } from '../../../test/support/net.ts'
import { createNet } from '#net/create-net.ts'
import { createGuard } from '#net/dial/guard.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { createResolver } from '#net/dial/resolve.ts'
import { createTraffic } from '#net/ground/trace.ts'
import { createRouter, type RouterOptions, type RouteOutcome } from './route.ts'
import { loadRouteSystem, type RouteSystem } from './route-system.ts'

const forever = new AbortController().signal
const timeoutMs = 10_000

function routerWith(options: RouterOptions, allow: 'all' | 'none' = 'all'): ReturnType<typeof createRouter> {
  const parts = { guard: createGuard(allow), resolver: createResolver(), traffic: createTraffic() }
  return createRouter(parts, options)
}

/** A system that permits nothing, but for what the test says. */
function systemWith(more: Partial<RouteSystem>): () => Promise<RouteSystem> {
  const system: RouteSystem = {
    open: () => 'EACCES',
    setOption: () => {},
    send: () => null,
    receive: () => null,
    wallMs: () => 0,
    close: () => {},
  }
  return async () => ({ ...system, ...more })
}

async function isPermitted(kind: 'datagram' | 'raw', family: 4 | 6): Promise<boolean> {
  const system = await loadRouteSystem().catch(() => null)
  const fd = system?.open(family, kind) ?? 'ENOSYS'
  if (typeof fd === 'number') system?.close(fd)
  return typeof fd === 'number'
}

function endOf(outcome: RouteOutcome): unknown {
  if (outcome.type === 'failed') return outcome.failure.code
  return outcome.type === 'traced' ? [outcome.end, outcome.reason, outcome.code, outcome.hops.length] : outcome.reason
}

describe('a route', () => {
  for (const kind of ['datagram', 'raw'] as const)
    for (const [family, host] of [
      [4, '127.0.0.1'],
      [6, '::1'],
    ] as const)
      it(`by a ${kind} socket of IPv${family} to this machine is one hop`, async (context) => {
        if (!(await isPermitted(kind, family))) return context.skip(`${kind} is not permitted here`)
        const outcome = await routerWith({ ways: [kind] })({ host, timeoutMs }, forever)
        assert.deepEqual(endOf(outcome), ['reached', null, null, 1])
        assert.ok(outcome.type === 'traced')
        const [hop] = outcome.hops
        assert.deepEqual([hop?.address, hop?.sent, hop?.received], [host, 3, 3])
        assert.ok(hop?.rttsMs.every((ms) => ms >= 0 && ms < 1_000))
      })

  it('leads to one address of a name, which is looked up once, and which may be dialled', async () => {
    const asked: string[] = []
    const { address } = await dnsServer((name) => {
      asked.push(name)
      return { addresses: ['127.0.0.1'] }
    })
    const host = 'here.example'
    const open = createNet({ allowPrivate: 'all', dnsServers: [address] })
    const outcome = await open.route({ host, timeoutMs }, forever)
    assert.ok(outcome.type !== 'failed' && outcome.address === '127.0.0.1')
    assert.deepEqual(new Set(asked), new Set([host]))
    const closed = createNet({ allowPrivate: 'none', dnsServers: [address] })
    for (const [net, asking] of [
      [closed, { host, timeoutMs }],
      [closed, { host: '127.0.0.1', timeoutMs }],
      [closed, { host: '::1', timeoutMs }],
      [createNet({ allowPrivate: 'all', ownPorts: [3000] }), { host: '127.0.0.1', port: 3000, timeoutMs }],
    ] as const)
      assert.equal(endOf(await net.route(asking, forever)), 'forbidden_address')
  })

  it('is taken by two at once, others wait, and give up in time', async () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<RouteSystem>()
    const route = routerWith({ loadSystem: () => loaded })
    const first = [1, 2].map(() => route({ host: '127.0.0.1', timeoutMs }, forever))
    const third = await route({ host: '127.0.0.1', timeoutMs: 30 }, forever)
    assert.equal(endOf(third), 'timed_out')
    load(await systemWith({})())
    for (const outcome of await Promise.all(first)) assert.equal(outcome.type, 'not_available')
    assert.equal((await route({ host: '127.0.0.1', timeoutMs }, forever)).type, 'not_available')
  })
})

describe('a route that cannot be taken', () => {
  const host = '127.0.0.1'

  it('is not available where there are no foreign functions, or no permission', async () => {
    const none = { loadSystem: () => Promise.reject(new Error('Cannot find the native Koffi module')) }
    assert.match(String(endOf(await routerWith(none)({ host, timeoutMs }, forever))), /^Routes are not possible/)
    const refused = { loadSystem: systemWith({}) }
    const reason = String(endOf(await routerWith(refused)({ host, timeoutMs }, forever)))
    assert.match(reason, /^Routes are not permitted at this location: .*ping_group_range.*CAP_NET_RAW/)
  })

  for (const [code, end] of [
    ['ENETUNREACH', ['unreachable', 'network_unreachable', null, 0]],
    ['EHOSTUNREACH', ['unreachable', 'network_unreachable', null, 0]],
    ['EPERM', 'The system of this location refuses to send probes (EPERM)'],
  ] as const)
    it(`ends with the first probe where the system says ${code}, and its socket is closed`, async () => {
      const closed: number[] = []
      const system = { open: () => 9, send: () => code, close: (fd: number) => void closed.push(fd) }
      const outcome = await routerWith({ loadSystem: systemWith(system) })({ host, timeoutMs }, forever)
      assert.deepEqual([endOf(outcome), closed], [end, [9]])
    })

  it('has no way where this machine has no IPv6', async () => {
    const system = { open: (): string => 'EAFNOSUPPORT' }
    const outcome = await routerWith({ loadSystem: systemWith(system) })({ host: '::1', timeoutMs }, forever)
    assert.deepEqual(endOf(outcome), ['unreachable', 'network_unreachable', null, 0])
  })

  it('is trouble of our own where sockets are short', async () => {
    for (const system of [{ open: (): string => 'EMFILE' }, { open: () => 9, send: (): string => 'ENOBUFS' }]) {
      const route = routerWith({ loadSystem: systemWith(system) })
      await assert.rejects(route({ host, timeoutMs }, forever), OwnTrouble)
      await assert.rejects(route({ host, timeoutMs }, forever), OwnTrouble)
      await assert.rejects(route({ host, timeoutMs }, forever), OwnTrouble)
    }
  })
})

/** The number of koffi's shared libraries in a process that has made a net, and of the modules of routes. */
const countLoaded = `
  import { createNet } from '#net/create-net.ts'
  createNet({ allowPrivate: 'all' }).route
  const { sharedObjects } = process.report.getReport()
  process.stdout.write(String(sharedObjects.filter((path) => path.includes('koffi')).length))
`

it('routes cost a process nothing before its first one', async () => {
  const cwd = new URL('../../..', import.meta.url)
  const words = ['--input-type=module', '-e', countLoaded]
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd, timeout: 20_000 })
  assert.equal(stdout, '0')
})

it('a watched net tells that it goes on after a route', async () => {
  let entered = 0
  const traffic = createTraffic({ onEntered: () => void (entered += 1) })
  await createNet({ allowPrivate: 'none', traffic }).route({ host: '127.0.0.1', timeoutMs }, forever)
  assert.equal(entered, 1)
  assert.equal((await openNet.route({ host: '127.0.0.1', timeoutMs }, AbortSignal.abort())).type, 'failed')
})
