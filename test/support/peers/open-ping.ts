// Pings by the kernel's own ping sockets, and says what came of it. Run by test/peers/ping.test.ts in a network of its
// own, where every group may have such sockets.
import { writeFileSync } from 'node:fs'
import { createIcmpAccess } from '#net/ping/icmp-access.ts'
import { createGuard } from '#net/dial/guard.ts'
import { createPinger } from '#net/ping/ping.ts'
import { createResolver } from '#net/dial/resolve.ts'
import { createTraffic } from '#net/ground/trace.ts'

const parts = { guard: createGuard('all'), resolver: createResolver(), traffic: createTraffic() }
const ping = createPinger(parts, createIcmpAccess({ ways: ['datagram'] }))

function pingOnce(host: string, timeoutMs = 3000): ReturnType<typeof ping> {
  return ping({ host, packets: 3, timeoutMs }, AbortSignal.timeout(timeoutMs))
}

const hosts = Array.from({ length: 2000 }, (_, index) => `127.${1 + (index % 200)}.0.${1 + (index % 250)}`)
const many = await Promise.all(hosts.map((host) => pingOnce(host, 5000)))
const four = await pingOnce('127.0.0.1')
const six = await pingOnce('::1')
const unroutable = await pingOnce('203.0.113.1')
setAnswering(false)
const silent = await pingOnce('127.0.0.1', 700)
setTimeout(() => setAnswering(true), 300)
const lossy = await pingOnce('127.0.0.1', 3000)
const answered = many.filter((outcome, index) => outcome.ok && outcome.address === hosts[index]).length
const complete = many.filter((outcome) => outcome.ok && outcome.rttsMs.length === 3).length
process.stdout.write(JSON.stringify({ four, six, unroutable, silent, lossy, answered, complete }))

function setAnswering(isAnswering: boolean): void {
  writeFileSync('/proc/sys/net/ipv4/icmp_echo_ignore_all', isAnswering ? '0' : '1')
}
