import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { noPhases } from '#core/results/result.ts'
import type { PingOutcome } from '#net/ping/ping.ts'
import { checkOnce } from '../../test/support/check.ts'
import { withoutPing } from '../../test/support/icmp.ts'
import { findProgram } from '../../test/support/peers/program.ts'
import { judgePing, ping } from './ping.ts'

const times = { latencyMs: 1000, phases: noPhases }

function answered(sent: number, ...rttsMs: number[]): PingOutcome {
  return { ok: true, address: '192.0.2.1', sent, rttsMs, ...times }
}

describe('the verdict on a series of pings', () => {
  const cases = [
    ['no loss', answered(3, 10, 20, 30), {}, 'up', null],
    ['two of three lost', answered(3, 10), {}, 'up', null],
    ['loss at the limit', answered(4, 10, 20), { max_loss_percent: 50 }, 'up', null],
    [
      'loss above the limit',
      answered(3, 10),
      { max_loss_percent: 50 },
      'down',
      '2 of 3 echo requests were lost (67 %), more than 50 %',
    ],
    [
      'any loss where none is allowed',
      answered(10, 1, 1, 1, 1, 1, 1, 1, 1, 1),
      { max_loss_percent: 0 },
      'down',
      '1 of 10 echo requests were lost (10 %), more than 0 %',
    ],
    ['a mean at the limit', answered(2, 50, 150), { max_latency_ms: 100 }, 'up', null],
    [
      'a mean above the limit',
      answered(2, 50, 151),
      { max_latency_ms: 100 },
      'degraded',
      'The echo replies took longer than 100 ms on average',
    ],
    [
      'too much loss and too long',
      answered(2, 500),
      { max_latency_ms: 100, max_loss_percent: 10 },
      'down',
      '1 of 2 echo requests were lost (50 %), more than 10 %',
    ],
  ] as const
  for (const [name, outcome, options, status, error] of cases)
    it(`is ${status} with ${name}`, () => {
      const verdict = judgePing(outcome, { options })
      assert.deepEqual([verdict.status, verdict.statusCode, verdict.error], [status, null, error])
    })

  it('shows the mean as the latency, and the rest as details', () => {
    const { latencyMs, details } = judgePing(answered(4, 10.126, 20.5, 30), { options: {} })
    assert.equal(latencyMs, 20)
    assert.deepEqual(details, {
      sent: 4,
      received: 3,
      loss_percent: 25,
      min_ms: 10.13,
      avg_ms: 20.21,
      max_ms: 30,
    })
  })

  it('is down without an answer, and tells what was sent', () => {
    const failure = { phase: 'request', code: 'timed_out', message: 'Timed out' } as const
    const silent = judgePing({ ok: false, failure, sent: 3, ...times }, { options: {} })
    assert.deepEqual([silent.status, silent.latencyMs, silent.error], ['down', null, 'Timed out'])
    assert.deepEqual(silent.details, { sent: 3, received: 0, loss_percent: 100 })
    assert.deepEqual(judgePing({ ok: false, failure, sent: 0, ...times }, { options: {} }).details, {})
  })
})

const hasTools = ['unshare', 'setpriv', 'ip'].every((name) => findProgram(name) !== null)
const cannotForbid = process.getuid?.() === 0 && hasTools ? false : 'needs root, unshare, setpriv and ip'

/** A network that admits no group to its ping sockets, and a user who cannot get a privilege, by a program neither. */
const forbidding = `
ip link set lo up
echo '1 0' > /proc/sys/net/ipv4/ping_group_range
exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all "$0" "$1"
`

describe('a check of kind ping', () => {
  it('is up when this machine answers', { skip: withoutPing }, async () => {
    for (const url of ['127.0.0.1', '::1', '[::1]', 'localhost']) {
      const verdict = await checkOnce(ping, { url, options: { packets: 2 } })
      assert.deepEqual([verdict.status, verdict.error], ['up', null], url)
      assert.equal(verdict.details['received'], 2)
      assert.ok(Number.isInteger(verdict.latencyMs))
    }
  })

  it('says what is missing where nothing is permitted', { skip: cannotForbid }, async () => {
    const script = fileURLToPath(new URL('../../test/support/ping-once.ts', import.meta.url))
    const words = ['-n', 'sh', '-ec', forbidding, process.execPath, script]
    const { stdout } = await promisify(execFile)('unshare', words, { timeout: 60_000 })
    assert.match(stdout, /^MissingMeans: Ping is not permitted at this location: its operator has to set net\.ipv4\./)
  })

  it('takes its options within their bounds', () => {
    const good = [
      {},
      { packets: 1 },
      { packets: 10, max_loss_percent: 0, max_latency_ms: 100 },
      { max_loss_percent: 99, max_latency_ms: 60_000 },
    ]
    const bad = [
      { packets: 0 },
      { packets: 11 },
      { packets: 1.5 },
      { max_loss_percent: -1 },
      { max_loss_percent: 100 },
      { max_latency_ms: 99 },
      { port: 1 },
    ]
    assert.deepEqual(
      good.map(isValid),
      good.map(() => true),
    )
    assert.deepEqual(
      bad.map(isValid),
      bad.map(() => false),
    )
  })

  it('takes a bare host', () => {
    for (const url of ['example.com', '192.0.2.1', '2001:db8::1', '[2001:db8::1]'])
      assert.equal(
        ping.targetProblem(url, () => false),
        null,
      )
    assert.match(ping.targetProblem('example.com:80', () => false) ?? '', /must not name a port/i)
    assert.match(ping.targetProblem('[::1]:80', () => false) ?? '', /must not name a port/i)
    assert.match(ping.targetProblem('https://example.com', () => false) ?? '', /Must be a host/)
    assert.match(ping.targetProblem('', () => false) ?? '', /Must be a host/)
    const asked: string[] = []
    ping.targetProblem('::0001', (host) => asked.push(host) > 0)
    assert.deepEqual(asked, ['::1'])
  })
})

function isValid(options: Record<string, unknown>): boolean {
  return ping.options.safeParse(options).success
}
