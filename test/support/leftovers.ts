import assert from 'node:assert/strict'
import type { BrokenWorld } from './broken-world.ts'
import { until } from './until.ts'

export type Leftovers = {
  /** Waits for what closes by itself; then nothing may be left. */
  assertNone: (world: Pick<BrokenWorld, 'state'>) => Promise<void>
  stop: () => void
}

/**
 * Look-ups of registrations outlive the check that began them, so that the next check can use them; they take some
 * steps of six seconds.
 */
const waitMs = 45_000

/** Watches for what a check may leave behind: open sockets and uncaught errors. */
export function watchLeftovers(): Leftovers {
  const late: unknown[] = []
  const onLate = (error: unknown): void => void late.push(error)
  process.on('unhandledRejection', onLate)
  process.on('uncaughtException', onLate)
  return {
    assertNone: async (world) => {
      await until(
        'the servers see their connections closed',
        async () => (await world.state()).connections === 0,
        waitMs,
      )
      await until('this process has no sockets of its own left', async () => clientSockets() === 0, waitMs)
      const { accepted } = await world.state()
      assert.ok(accepted > 0, 'Nobody was ever connected to.')
      assert.deepEqual(late, [])
    },
    stop: () => {
      process.off('unhandledRejection', onLate)
      process.off('uncaughtException', onLate)
    },
  }
}

/**
 * Node's names of client sockets. Listening stream servers have other names; servers of datagrams should run in another
 * thread.
 */
const sockets = new Set(['TCPSocketWrap', 'TLSWrap', 'UDPWrap'])

function clientSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => sockets.has(name)).length
}
