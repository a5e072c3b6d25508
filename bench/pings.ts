import { createNet } from '#net/create-net.ts'
import { createEchoes, type Echoes } from '#net/ping/icmp-echoes.ts'
import { loadIcmpSystem, type SocketKind } from '#net/ping/icmp-system.ts'
import { datagramWire, rawWire } from '#net/ping/icmp-wire.ts'
import { ping } from '#kinds/ping.ts'
import { latencies, whole } from './support/figures.ts'

const goalPerSecond = 5_000
const goalCpuMs = 0.05
const seconds = 5
const warmUpSeconds = 1
const tickMs = 4
const timeoutMs = 3_000
const bareEchoes = 50_000
const concurrency = 64

/**
 * Measures the cost of pings to their thread: whole checks of one echo each at 5,000 a second, and bare echoes as fast
 * as they go. Where net.ipv4.ping_group_range is closed, a network of one's own opens it: `unshare -n sh -c 'ip link
 * set lo up; echo 0 2147483647 > /proc/sys/net/ipv4/ping_group_range; npm run bench -- pings'`.
 */
export async function pings(): Promise<void> {
  const { way, echoes } = await openEchoes()
  await bare(echoes, bareEchoes / 5)
  const bareCpuMs = await bare(echoes, bareEchoes)
  echoes.close()
  const check = createCheck()
  await atRate(check, warmUpSeconds)
  const { cpuMs, perSecond, up, rttsMs } = await atRate(check, seconds)
  console.log(
    `checks       ${cpuMs.toFixed(4)} ms CPU a ping, ${whole(perSecond)} a second, ${latencies(rttsMs)}, ${up.toFixed(2)} % up`,
  )
  console.log(
    `pings: ${whole(perSecond)} a second at ${cpuMs.toFixed(3)} ms CPU by ${way} socket (${(cpuMs / bareCpuMs).toFixed(1)} of a bare echo), goal ${whole(goalPerSecond)} at ${goalCpuMs} ms`,
  )
}

/** A socket as the first ping would open it. */
async function openEchoes(): Promise<{ way: SocketKind; echoes: Echoes }> {
  const system = await loadIcmpSystem()
  for (const way of ['datagram', 'raw'] as const) {
    const fd = system.open(4, way)
    if (typeof fd === 'string') continue
    const echoes = await createEchoes(4, (onPacket) =>
      way === 'datagram' ? datagramWire(fd, 4, onPacket) : rawWire(system, { fd, family: 4 }, onPacket),
    )
    return { way, echoes }
  }
  throw new Error('This machine does not permit ICMP; see bench/pings.ts.')
}

function address(index: number): string {
  return `127.${1 + (index % 200)}.0.${1 + (index % 250)}`
}

async function bare(echoes: Echoes, count: number): Promise<number> {
  let left = count
  const startedAt = performance.now()
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) {
        const index = left
        await new Promise((resolve, reject) => {
          echoes.send(address(index), { onReply: resolve, onError: reject })
        })
      }
    }),
  )
  const cpuMs = cpuSince(before) / count
  console.log(
    `bare echoes  ${cpuMs.toFixed(4)} ms CPU, ${whole((count * 1000) / (performance.now() - startedAt))} a second`,
  )
  return cpuMs
}

/** A check as a prober makes it, with its own deadline: its time in milliseconds, null when it is not up. */
function createCheck(): (url: string) => Promise<number | null> {
  const net = createNet({ allowPrivate: 'all' })
  const usual = {
    version: 1,
    kind: 'ping',
    method: 'GET',
    timeoutMs,
    expectedStatusMin: 200,
    expectedStatusMax: 399,
  } as const
  const unused = { keyword: null, requestHeaders: {}, requestBody: null }
  const configurations = new Map<string, Parameters<typeof ping.check>[0]>()
  return async (url) => {
    const known = configurations.get(url)
    const configuration = known ?? { ...usual, ...unused, monitorId: url, url, options: { packets: 1 } }
    if (known === undefined) configurations.set(url, configuration)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const verdict = await ping.check(configuration, net, deadline.signal).finally(() => clearTimeout(timer))
    return verdict.status === 'up' ? Number(verdict.details['avg_ms']) : null
  }
}

type Figures = { cpuMs: number; perSecond: number; up: number; rttsMs: number[] }

async function atRate(check: (url: string) => Promise<number | null>, forSeconds: number): Promise<Figures> {
  const total = goalPerSecond * forSeconds
  const checks: Promise<number | null>[] = []
  const before = process.cpuUsage()
  const startedAt = performance.now()
  while (checks.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * goalPerSecond))
    while (checks.length < due) checks.push(check(address(checks.length)))
    await new Promise((resolve) => {
      setTimeout(resolve, tickMs)
    })
  }
  const rttsMs = (await Promise.all(checks)).filter((rttMs) => rttMs !== null)
  const tookMs = performance.now() - startedAt
  return {
    cpuMs: cpuSince(before) / total,
    perSecond: (total * 1000) / tookMs,
    up: (100 * rttsMs.length) / total,
    rttsMs,
  }
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
