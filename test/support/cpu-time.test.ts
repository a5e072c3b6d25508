import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { cpuMsOf } from './cpu-time.ts'

const busyMs = 200

describe('the CPU time of a piece of work', () => {
  it('is that of its thread alone', async () => {
    const other = new Worker("require('node:worker_threads').parentPort.postMessage('begun'); for (;;);", {
      eval: true,
    })
    try {
      await once(other, 'message')
      const ms = cpuMsOf(spin)
      assert.ok(ms <= busyMs * 1.2, `${ms} ms`)
    } finally {
      await other.terminate()
    }
  })
})

function spin(): void {
  const until = performance.now() + busyMs
  while (performance.now() < until);
}
