import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { z } from 'zod'
import { skipReason } from '../support/peers/daemon.ts'
import { routeChain } from '../support/peers/route-chain.ts'

const run = promisify(execFile)
const script = new URL('../support/peers/trace-routes.ts', import.meta.url).pathname
const skip = process.getuid?.() === 0 ? skipReason(['ip', 'traceroute', 'mtr']) : 'needs root'

const hop = z.object({ address: z.string().nullable(), sent: z.int(), received: z.int(), rttsMs: z.array(z.number()) })
const outcome = z.object({
  end: z.string(),
  reason: z.string().nullable(),
  code: z.int().nullable(),
  hops: z.array(hop),
})
type Outcome = z.infer<typeof outcome>
const report = z.object({
  report: z.object({ hubs: z.array(z.object({ host: z.string(), 'Loss%': z.number(), Best: z.number() })) }),
})

/** A router loses once in a minute only, so that each kind has one of its own. */
const losses = { datagram: ['near', [1, 3, 3, 3]], raw: ['far', [3, 3, 1, 3]] } as const

describe('routes through a row of routers', { skip }, async () => {
  const chain = routeChain(91)
  const { target, hops } = chain
  const here = chain.at('here')

  async function outcomeOf(kind: string, host: string): Promise<Outcome> {
    const [program = '', ...words] = here
    const { stdout } = await run(program, [...words, process.execPath, script, kind, host], { timeout: 60_000 })
    return outcome.parse(JSON.parse(stdout))
  }

  /** The addresses that traceroute finds, null for silence. */
  async function traceroute(host: string): Promise<(string | null)[]> {
    const [program = '', ...words] = here
    const asked = ['traceroute', '-n', '-I', '-q', '3', '-w', '1', '-m', '8', host]
    const { stdout } = await run(program, [...words, ...asked], { timeout: 60_000 })
    const lines = stdout.trim().split('\n').slice(1)
    return lines.map((line) => /^\s*\d+\s+([0-9a-f.:]+)\s/.exec(line)?.[1] ?? null)
  }

  for (const kind of ['datagram', 'raw'] as const)
    for (const family of [4, 6] as const)
      it(`are those of traceroute and mtr in IPv${family}, by a ${kind} socket`, async () => {
        const found = await outcomeOf(kind, target[family])
        assert.deepEqual([found.end, found.hops.map(({ address }) => address)], ['reached', hops[family]])
        assert.ok(found.hops.every(({ sent, received }) => sent === 3 && received === 3))
        assert.deepEqual(await traceroute(target[family]), hops[family])
        const [program = '', ...words] = here
        const asked = ['mtr', '--json', '-n', '-c', '3', '-i', '0.3', target[family]]
        const { stdout } = await run(program, [...words, ...asked], { timeout: 60_000 })
        const { hubs } = report.parse(JSON.parse(stdout)).report
        assert.deepEqual(
          hubs.map(({ host }) => host),
          hops[family],
        )
        for (const [index, { Best: theirs }] of hubs.entries()) {
          const ours = Math.min(...(found.hops[index]?.rttsMs ?? []))
          assert.ok(Math.abs(ours - theirs) < 20, `${ours} and ${theirs} ms`)
        }
      })

  for (const kind of ['datagram', 'raw'] as const) {
    it(`end by a ${kind} socket where a router says that a network is unreachable or prohibited`, async () => {
      const ends = [
        ['unreachable', '10.98.0.0/24', '10.98.0.1', 'host_unreachable', 1],
        ['prohibit', '10.98.1.0/24', '10.98.1.1', 'prohibited', 13],
        ['unreachable', 'fd00:98::/64', 'fd00:98::1', 'network_unreachable', 0],
        ['prohibit', 'fd00:99::/64', 'fd00:99::1', 'prohibited', 1],
      ] as const
      if (kind === 'datagram')
        for (const [type, range] of ends) {
          const nearer = range.includes(':') ? hops[6] : hops[4]
          chain.route('here', range, 'via', nearer[0] ?? '')
          chain.route('near', range, 'via', nearer[1] ?? '')
          chain.route('middle', type, range)
        }
      for (const [, , host, reason, code] of ends) {
        const found = await outcomeOf(kind, host)
        assert.deepEqual([found.end, found.reason, found.code], ['unreachable', reason, code], host)
        assert.deepEqual(
          found.hops.map(({ address }) => address),
          hops[host.includes(':') ? 6 : 4].slice(0, 2),
        )
      }
    })

    it(`lose by a ${kind} socket what a router loses, and are silent where nothing answers`, async () => {
      const [lossyPlace, expected] = losses[kind]
      // Of exceeded times (type 11), one a minute to each who asks.
      chain.set(lossyPlace, 'net.ipv4.icmp_ratemask=2048', 'net.ipv4.icmp_ratelimit=60000')
      if (kind === 'datagram') {
        chain.route('here', '10.97.0.0/24', 'via', hops[4][0] ?? '')
        chain.route('near', '10.97.0.0/24', 'via', hops[4][1] ?? '')
        chain.route('middle', 'blackhole', '10.97.0.0/24')
      }
      const lossy = await outcomeOf(kind, target[4])
      chain.set(lossyPlace, 'net.ipv4.icmp_ratemask=0')
      const dark = await outcomeOf(kind, '10.97.0.1')
      assert.deepEqual([lossy.end, lossy.hops.map(({ received }) => received)], ['reached', expected])
      assert.deepEqual(
        [dark.end, dark.hops.map(({ address }) => address)],
        ['silent', [hops[4][0], null, null, null, null, null]],
      )
      assert.deepEqual((await traceroute('10.97.0.1')).slice(0, 3), [hops[4][0], null, null])
    })
  }

  it('go in circles as long as they may', async () => {
    chain.route('here', '10.96.0.0/24', 'via', hops[4][0] ?? '')
    chain.route('near', '10.96.0.0/24', 'via', hops[4][1] ?? '')
    chain.route('middle', '10.96.0.0/24', 'via', '10.91.1.1')
    const found = await outcomeOf('datagram', '10.96.0.1')
    assert.deepEqual([found.end, found.hops.length], ['too_long', 30])
  })

  it('end at once where this machine has no way', async () => {
    for (const kind of ['datagram', 'raw']) {
      const found = await outcomeOf(kind, '203.0.113.1')
      assert.deepEqual([found.end, found.reason, found.hops.length], ['unreachable', 'network_unreachable', 0])
    }
  })
})
