// One process of the service that can be killed between any two things it waits for.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

export type Mortality = {
  /** A port on loopback that leads to the database, and dies with the process. */
  port: number
  /** Dies when so many moments have passed; null takes that back. */
  dieAfter: (moments: number | null) => void
  isDead: () => boolean
  /** A moment in which it may die: then it throws, and so does every later one. */
  moment: () => void
  /** Only once everything that the dead process did has failed. */
  revive: () => void
}

/** Every message to or from the database is a moment: what was asked may be unheard, or done without an answer. */
export async function mortality(socketPath: string): Promise<Mortality> {
  const sockets = new Set<Socket>()
  let left: number | null = null
  let isDead = false
  const pass = (): boolean => {
    if (left !== null && !isDead) {
      isDead = left === 0
      left -= 1
      if (isDead) for (const socket of sockets) socket.destroy()
    }
    return !isDead
  }
  const server = createServer((near) => {
    if (isDead) {
      near.destroy()
      return
    }
    const far = connect(socketPath)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (pass()) to.write(bytes)
      })
      from.on('error', () => from.destroy())
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return {
    port: portOf(server.address()),
    dieAfter: (moments) => {
      left = moments
    },
    isDead: () => isDead,
    moment: () => {
      if (!pass()) throw new Error('The process has died.')
    },
    revive: () => {
      left = null
      isDead = false
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The way has no port.')
  return address.port
}
