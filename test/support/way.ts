import { after } from 'node:test'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { portOf } from './raw-server.ts'

/** Rules for connections and their pieces; everything is let through without a rule. */
export type WayRules = {
  /** Whether a new connection is let in. */
  admits?: () => boolean
  /**
   * Begins to watch one connection: whether each piece passes on to the far side, and back. A piece that does not pass
   * is lost.
   */
  watch?: () => { forth: (bytes: Buffer) => boolean; back: (bytes: Buffer) => boolean }
}

export type Way = {
  /** On loopback. */
  port: number
  /** How many connections it has let in. */
  admitted: () => number
  /** Ends all connections. */
  cut: () => void
  /** Also runs after the file, for a test that forgets it. */
  close: () => Promise<void>
}

/** A way to a server on which a test can stand, while the server and its other clients go on. */
export async function openWay(target: NetConnectOpts, { admits, watch }: WayRules = {}): Promise<Way> {
  const sockets = new Set<Socket>()
  let admitted = 0
  const server = createServer((near) => {
    if (admits?.() === false) {
      near.destroy()
      return
    }
    admitted += 1
    const far = connect(target)
    const watching = watch?.()
    join(near, far, watching?.forth)
    join(far, near, watching?.back)
  })
  function join(from: Socket, to: Socket, passes: ((bytes: Buffer) => boolean) | undefined): void {
    sockets.add(from)
    from.on('data', (bytes) => {
      if (passes === undefined || passes(bytes)) to.write(bytes)
    })
    from.on('error', () => from.destroy())
    from.once('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve())
      cut()
    })
    return closing
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(close)
  return { port: portOf(server), admitted: () => admitted, cut, close }
}
