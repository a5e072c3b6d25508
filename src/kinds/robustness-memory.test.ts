// Answers that are too long, to each kind that reads them, in a process of little memory: it says so and forgets them.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBrokenWorld } from '../../test/support/broken-world.ts'
import { chainPem } from '../../test/support/certificates.ts'
import { oversized } from '../../test/support/oversized.ts'
import type { ChildOrder, ChildReport } from '../../test/support/robust-child.ts'
import { testCertificates } from '../../test/support/test-certificates.ts'
import { until } from '../../test/support/until.ts'

const mebibyte = 1024 * 1024
/** Room for the program itself and for the longest answer that a kind reads whole. */
const maxHeapMb = 64
const rounds = 5
const script = fileURLToPath(new URL('../../test/support/robust-child.ts', import.meta.url))

const { root, good } = testCertificates()

describe('an answer that is too long', () => {
  it('is named by every kind, and costs no memory that is kept', { timeout: 170_000 }, async () => {
    const world = await openBrokenWorld({ chainPem: chainPem(good), keyPem: good.keyPem })
    const ports: number[] = []
    for (const { behaviour } of oversized) ports.push(await world.tcp(behaviour()))
    const report = await runChild({ rootPem: root.pem, ports, rounds })
    for (const [index, { name, kind, status, text }] of oversized.entries()) {
      const verdict = report.verdicts[index]
      const label = `${kind}: ${name}: ${verdict?.error}`
      assert.equal(verdict?.status, status, label)
      if (text === null) assert.equal(verdict.error, null, label)
      else assert.match(String(verdict.error), text, label)
    }
    const { first, last, peakBytes } = report
    const { sentBytes } = await world.state()
    const sentMib = Math.round(sentBytes / mebibyte)
    const said = JSON.stringify({ first, last, peakBytes, sentMib })
    // Enough bytes were sent that a hundredth of them, kept in memory, would exceed the limits below.
    assert.ok(sentBytes > 300 * mebibyte, said)
    assert.ok(last.arrayBuffers - first.arrayBuffers < 4 * mebibyte, said)
    assert.ok(last.heapUsed - first.heapUsed < 8 * mebibyte, said)
    assert.ok(last.rss - first.rss < 64 * mebibyte, said)
    assert.ok(peakBytes < 400 * mebibyte, said)
    // The checks have ended before the other end hears of it.
    await until('every connection to be closed', async () => (await world.state()).connections === 0, 5_000)
  })
})

/** Rejects when the child dies, of too little memory for one. */
async function runChild(order: ChildOrder): Promise<ChildReport> {
  const execArgv = ['--expose-gc', `--max-old-space-size=${maxHeapMb}`, '--max-semi-space-size=4']
  const child = fork(script, { execArgv, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-4000)))
  try {
    child.send(order)
    const died = once(child, 'exit').then(([code, signal]) =>
      Promise.reject(new Error(`The process that checks ended (${code ?? signal}). ${complaint}`)),
    )
    died.catch(() => {})
    return await Promise.race([reportOf(child), died])
  } finally {
    child.kill('SIGKILL')
  }
}

function reportOf(child: ReturnType<typeof fork>): Promise<ChildReport> {
  return new Promise((resolve) => {
    child.once('message', (report: ChildReport) => resolve(report))
  })
}
