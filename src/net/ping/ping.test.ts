import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { withoutPing } from '../../../test/support/icmp.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { timed } from '../../../test/support/timed.ts'
import { createNet } from '#net/create-net.ts'
import { createIcmpAccess, type IcmpWay } from './icmp-access.ts'
import type { Echoes } from './icmp-echoes.ts'
import { MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'
import type { PingOutcome } from './ping.ts'

function ping(host: string, packets = 1, net: Pick<typeof openNet, 'ping'> = openNet): Promise<PingOutcome> {
  return timed(() => net.ping({ host, packets, timeoutMs: 10_000 }, AbortSignal.timeout(10_000)))
}

/** Echoes of one way only; null where the way is not permitted. */
async function openWay(way: IcmpWay, family: 4 | 6): Promise<Echoes | null> {
  return createIcmpAccess({ ways: [way] })(family).catch(() => null)
}

describe('ping', { skip: withoutPing }, () => {
  it('is answered by this machine, in both families', async () => {
    for (const host of ['127.0.0.1', '::1', '0:0:0:0:0:0:0:1', '127.9.8.7']) {
      const outcome = await ping(host, 2)
      assert.ok(outcome.ok, host)
      assert.deepEqual([outcome.address, outcome.sent, outcome.rttsMs.length], [host, 2, 2])
      assert.ok(outcome.rttsMs.every((rttMs) => rttMs > 0 && rttMs < 1000))
    }
  })

  it('tells 3,000 at once apart', async () => {
    const hosts = Array.from({ length: 3000 }, (_, index) => `127.${1 + (index % 200)}.0.${1 + (index % 250)}`)
    const outcomes = await Promise.all(hosts.map((host) => ping(host, 3)))
    const answered = outcomes.filter((outcome, index) => outcome.ok && outcome.address === hosts[index])
    assert.equal(answered.length, hosts.length)
  })

  it('looks a name up, and refuses private addresses', async () => {
    const { address } = await dnsServer((name) => (name === 'here.example' ? { addresses: ['127.0.0.1'] } : 'nxdomain'))
    const net = createNet({ allowPrivate: 'all', dnsServers: [address] })
    const outcome = await ping('here.example', 1, net)
    assert.equal(outcome.ok && outcome.address, '127.0.0.1')
    assert.match(failureOf(await ping('missing.example', 1, net)).message, /NXDOMAIN/)
    const closed = createNet({ allowPrivate: 'none', dnsServers: [address] })
    assert.equal(failureOf(await ping('here.example', 1, closed)).code, 'forbidden_address')
    assert.equal(failureOf(await ping('::1', 1, closed)).code, 'forbidden_address')
  })

  it('names the figure and the host when nothing comes', async () => {
    const outcome = await openNet.ping({ host: '127.0.0.1', packets: 3, timeoutMs: 700 }, AbortSignal.abort())
    assert.equal(failureOf(outcome).message, 'Timed out after 700 ms: no echo reply from 127.0.0.1 (0 sent)')
  })
})

/** The number of koffi's shared libraries in a process that has made a net. */
const countLibraries = `
  import { createNet } from '#net/create-net.ts'
  createNet({ allowPrivate: 'all' })
  const { sharedObjects } = process.report.getReport()
  process.stdout.write(String(sharedObjects.filter((path) => path.includes('koffi')).length))
`

function loadSystem(): Promise<never> {
  return Promise.reject(new Error('Cannot find the native Koffi module'))
}

describe('the ways to ping', () => {
  it('cost a process nothing before its first ping', async () => {
    const cwd = new URL('../../..', import.meta.url)
    const words = ['--input-type=module', '-e', countLibraries]
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd, timeout: 20_000 })
    assert.equal(stdout, '0')
  })

  for (const way of ['datagram', 'raw', 'fping'] as const)
    for (const [family, address] of [
      [4, '127.0.0.1'],
      [6, '::1'],
    ] as const)
      it(`${way} carries IPv${family} where it is permitted`, async (context) => {
        const echoes = await openWay(way, family)
        if (echoes === null) return context.skip(`${way} is not permitted here`)
        const rttMs = await new Promise<number>((resolve, reject) => {
          echoes.send(address, { onReply: resolve, onError: reject })
        })
        echoes.close()
        assert.ok(rttMs > 0 && rttMs < 1000)
      })

  it('need a program where this platform has no foreign functions, and then work by it', async (context) => {
    const find = createIcmpAccess({ loadSystem, fping: '/nonexistent/fping' })
    await assert.rejects(find(4), (error) => {
      assert.ok(error instanceof MissingMeans)
      assert.match(error.message, /^Ping is not possible at this location: its operator has to install fping/)
      return true
    })
    const echoes = await createIcmpAccess({ loadSystem })(4).catch(() => null)
    if (echoes === null) return context.skip('fping is not permitted here')
    const rttMs = await new Promise<number>((resolve, reject) => {
      echoes.send('127.0.0.1', { onReply: resolve, onError: reject })
    })
    assert.ok(rttMs > 0 && rttMs < 1000)
  })

  it('are opened once, and asked for again a minute after they were refused', async () => {
    let nowMs = 0
    const find = createIcmpAccess({ ways: ['fping'], fping: '/nonexistent/fping', now: () => nowMs })
    const first = find(4)
    await assert.rejects(first, (error) => {
      assert.ok(error instanceof MissingMeans && error instanceof OwnTrouble)
      assert.match(error.message, /^Ping is not permitted at this location: .*ping_group_range.*CAP_NET_RAW.*fping/)
      return true
    })
    nowMs = 59_999
    assert.equal(find(4), first)
    nowMs = 60_000
    const second = find(4)
    assert.notEqual(second, first)
    await assert.rejects(second)
  })
})
