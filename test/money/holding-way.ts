// A way to the database on which a chosen transaction is held at its commit.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** `unheard`: the database is not told to commit. `unanswered`: it has committed, and nobody is told. */
export type Hold = { transactionWith: RegExp; commitIs: 'unheard' | 'unanswered' }

export type HoldingWay = {
  /** On loopback. */
  port: number
  /** The next transaction with such a statement; one at a time. */
  holdNext: (hold: Hold) => void
  /** How many are held by now. */
  held: () => number
}

type Side = { near: Socket; far: Socket; hold: Hold | null; isHeld: boolean }

export async function holdingWay(socketPath: string): Promise<HoldingWay> {
  const sides = new Set<Side>()
  let next: Hold | null = null
  let held = 0

  /** Whether it goes on to the database. */
  const ask = (side: Side, text: string): boolean => {
    if (side.isHeld) return false
    if (next?.transactionWith.test(text) === true) {
      side.hold = next
      next = null
    }
    if (side.hold === null || !/commit/.test(text)) return true
    if (side.hold.commitIs === 'unanswered') return true
    side.isHeld = true
    held += 1
    return false
  }

  /** Whether it goes back. `C` is how PostgreSQL says that a command is complete. */
  const answer = (side: Side, text: string): boolean => {
    if (side.hold?.commitIs === 'unanswered' && !side.isHeld && text.includes('COMMIT')) {
      side.isHeld = true
      held += 1
    }
    return !side.isHeld
  }

  const server = createServer((near) => {
    const far = connect(socketPath)
    const side: Side = { near, far, hold: null, isHeld: false }
    sides.add(side)
    near.on('data', (bytes) => ask(side, bytes.toString('latin1')) && far.write(bytes))
    far.on('data', (bytes) => answer(side, bytes.toString('latin1')) && near.write(bytes))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => one.destroy())
      one.once('close', () => {
        other.destroy()
        sides.delete(side)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const { near, far } of sides) for (const socket of [near, far]) socket.destroy()
    await closed
  })
  return {
    port: portOf(server.address()),
    holdNext: (hold) => {
      next = hold
    },
    held: () => held,
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The way has no port.')
  return address.port
}
