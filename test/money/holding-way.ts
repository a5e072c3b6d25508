// A way to the database on which a chosen transaction is held at its commit.
import { openWay } from '../support/way.ts'

/** `unheard`: the database never gets the commit. `unanswered`: it has committed, and the client gets no answer. */
export type Hold = { transactionWith: RegExp; commitIs: 'unheard' | 'unanswered' }

export type HoldingWay = {
  /** On loopback. */
  port: number
  /** The next transaction with such a statement; one at a time. */
  holdNext: (hold: Hold) => void
  /** How many are held by now. */
  held: () => number
}

type Connection = { hold: Hold | null; isHeld: boolean }

export async function holdingWay(socketPath: string): Promise<HoldingWay> {
  let next: Hold | null = null
  let held = 0

  /** Whether it goes on to the database. */
  const ask = (connection: Connection, text: string): boolean => {
    if (connection.isHeld) return false
    if (next?.transactionWith.test(text) === true) {
      connection.hold = next
      next = null
    }
    if (connection.hold === null || !/commit/.test(text)) return true
    if (connection.hold.commitIs === 'unanswered') return true
    connection.isHeld = true
    held += 1
    return false
  }

  /** Whether it goes back. `C` is how PostgreSQL says that a command is complete. */
  const answer = (connection: Connection, text: string): boolean => {
    if (connection.hold?.commitIs === 'unanswered' && !connection.isHeld && text.includes('COMMIT')) {
      connection.isHeld = true
      held += 1
    }
    return !connection.isHeld
  }

  const watch = () => {
    const connection: Connection = { hold: null, isHeld: false }
    return {
      forth: (bytes: Buffer) => ask(connection, bytes.toString('latin1')),
      back: (bytes: Buffer) => answer(connection, bytes.toString('latin1')),
    }
  }
  const { port } = await openWay({ path: socketPath }, { watch })
  return {
    port,
    holdNext: (hold) => {
      next = hold
    },
    held: () => held,
  }
}
