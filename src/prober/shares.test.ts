import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { after, describe, it } from 'node:test'
import type { Result } from '#core/results/result.ts'
import { assign, burningWorker, playThread, tcpCheck } from '../../test/support/played-thread.ts'
import { portOf } from '../../test/support/raw-server.ts'
import { until } from '../../test/support/until.ts'

/** What a check of a costly target takes of the processor when it is answered, and what a share may hold. */
const [costlyMs, maxHeldMs] = [40, 2_000]

/** A target that says hello; while it is held, to none. */
async function greeter(): Promise<{ port: number; hold: () => void; release: () => void; held: () => number }> {
  let isHeld = false
  const held = new Set<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (!isHeld) return void socket.end('hello\n')
    held.add(socket)
    socket.on('close', () => held.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return {
    port: portOf(server),
    hold: () => (isHeld = true),
    release: () => {
      isHeld = false
      for (const socket of held) socket.end('hello\n')
    },
    held: () => held.size,
  }
}

describe('a location of several shares', () => {
  it('has few checks of costly targets under way, and those of ordinary ones as they come', async () => {
    const played = playThread({ program: burningWorker })
    const { bus, present, deaths } = played
    const [costly, ordinary] = [await greeter(), await greeter()]
    bus.onConfigurationRequest(async (_, ids) =>
      ids.map((id) => {
        const isCostly = id.startsWith('costly')
        const url = `127.0.0.1:${isCostly ? costly.port : ordinary.port}`
        const check = tcpCheck(id, url, isCostly ? `burn ${costlyMs}` : null)
        return { ...check, timeoutMs: 60_000, options: { expected_text: 'hello' }, shareKey: isCostly ? 'a' : 'b' }
      }),
    )
    let results: Result[] = []
    bus.onResults(async (list) => void results.push(...list))
    await until('the prober is present', () => present.length > 0, 60_000)
    const round = async (ids: readonly string[], number: number): Promise<void> => {
      results = []
      assign(played, ids, number)
      await until('their results', () => results.length === ids.length, 60_000)
      assert.deepEqual(new Set(results.map(({ verdict }) => verdict?.error)), new Set([null]))
    }
    const many = Array.from({ length: 80 }, (_, index) => `costly${index}`)
    const few = Array.from({ length: 100 }, (_, index) => `ordinary${index}`)
    await round(few, 1)
    await round(many.slice(0, 20), 1)
    costly.hold()
    assign(played, many, 2)
    // Each of these has its turn after those that may begin, and is answered while they wait for their target.
    for (const number of [2, 3, 4]) await round(few, number)
    const held = costly.held()
    assert.ok(held > 0 && held * costlyMs <= maxHeldMs, `${held} costly ones are under way`)
    results = []
    costly.release()
    await until('the results of all', () => results.length === many.length, 60_000)
    assert.equal(deaths(), 0)
    await played.stop()
  })
})
