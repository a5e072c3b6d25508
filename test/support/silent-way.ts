import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type SilentWay = {
  port: number
  /** While true nothing arrives on either side, and nobody hangs up: as when the other machine has lost its power. */
  hush: (isSilent: boolean) => void
  close: () => Promise<void>
}

/** A port on loopback that leads to a unix socket. */
export async function silentWay(path: string): Promise<SilentWay> {
  const sockets = new Set<Socket>()
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(path)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!isSilent) to.write(bytes)
      })
      from.on('error', () => from.destroy())
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(server.address()),
    hush: (next) => {
      isSilent = next
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The way has no port.')
  return address.port
}
