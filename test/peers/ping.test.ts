import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { z } from 'zod'
import { withoutPing } from '../support/icmp.ts'
import { openNet } from '../support/net.ts'
import { findProgram } from '../support/peers/program.ts'

const run = promisify(execFile)
const fping = findProgram('fping')
const canMakeNetworks = process.getuid?.() === 0 && findProgram('unshare') !== null && findProgram('ip') !== null

const success = z.object({ ok: z.literal(true), sent: z.int(), rttsMs: z.array(z.number()) })
const failure = z.object({ ok: z.literal(false), failure: z.object({ message: z.string() }) })
const report = z.object({
  four: success,
  six: success,
  silent: failure,
  lossy: success,
  unroutable: failure,
  answered: z.int(),
  complete: z.int(),
})

/** A network of its own, in which every group may ping; then runs the script. */
const commands = `
ip link set lo up
echo '0 2147483647' > /proc/sys/net/ipv4/ping_group_range
exec "$0" "$1"
`

describe('ping beside fping', { skip: fping === null ? 'fping is not installed' : withoutPing }, () => {
  it('finds the same hosts alive, in about the same time', async () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1']) {
      const { stderr } = await run(fping ?? '', ['-C', '3', '-p', '200', '-q', host])
      const theirs = stderr.trim().split(' : ')[1]?.split(' ').map(Number) ?? []
      const ours = await openNet.ping({ host, packets: 3, timeoutMs: 3000 }, AbortSignal.timeout(3000))
      assert.ok(ours.ok)
      assert.deepEqual([theirs.length, ours.rttsMs.length], [3, 3])
      assert.ok(
        Math.abs(Math.min(...theirs) - Math.min(...ours.rttsMs)) < 20,
        `${theirs.join()} and ${ours.rttsMs.join()} ms`,
      )
    }
  })
})

describe("the kernel's own ping sockets", { skip: canMakeNetworks ? false : 'needs root, unshare and ip' }, () => {
  it('carry thousands of pings at once, and name silence and missing routes', async () => {
    const script = new URL('../support/peers/open-ping.ts', import.meta.url).pathname
    const { stdout } = await run('unshare', ['-n', 'sh', '-ec', commands, process.execPath, script], {
      timeout: 60_000,
    })
    const seen = report.parse(JSON.parse(stdout))
    const counts = [seen.four, seen.six, seen.lossy].map(({ sent, rttsMs }) => [sent, rttsMs.length])
    assert.deepEqual(counts, [
      [3, 3],
      [3, 3],
      [3, 1],
    ])
    assert.equal(seen.silent.failure.message, 'Timed out after 700 ms: no echo reply from 127.0.0.1 (3 sent)')
    assert.equal(seen.unroutable.failure.message, 'No route to 203.0.113.1 (network unreachable)')
    assert.deepEqual([seen.answered, seen.complete], [2000, 2000])
  })
})
