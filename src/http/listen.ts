import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import type { HttpEnv } from './environment.ts'

/** The address could not be taken: the operator's to mend, in one line. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export type Listening = {
  /** The port that was taken, also where 0 was asked for. */
  port: number
  /** Takes no new connection, lets requests under way end, and cuts off those that last beyond the deadline. */
  close: (deadlineMs: number) => Promise<void>
}

/** A client has 10 s for its headers and 30 s for the whole of a request. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
}
const maxHeaderBytes = 32 * 1024

export async function listen(
  app: Pick<Hono<HttpEnv>, 'fetch'>,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, { incoming }) => app.fetch(request, { address: incoming.socket.remoteAddress ?? '' }),
    serverOptions: { ...timeouts, maxHeaderSize: maxHeaderBytes },
  })
  if (!('closeIdleConnections' in server)) throw new Error('The adaptor made no plain HTTP server.')
  await take(server, host, port)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: (deadlineMs) => close(server, deadlineMs),
  }
}

function take(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new ListenError(reason(cause, host, port), { cause })),
    )
    server.listen(port, host, resolve)
  })
}

function reason(cause: NodeJS.ErrnoException, host: string, port: number): string {
  switch (cause.code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another process. Stop that process, or set PERIGEE_PORT to a free port.`
    case 'EACCES':
      return `This user is not allowed to use port ${port} of ${host}. Set PERIGEE_PORT to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine. Set PERIGEE_HOST to one of its addresses.`
    case undefined:
    default:
      return `Could not listen on port ${port} of ${host}: ${cause.message}.`
  }
}

/** A connection that was busy at first is idle, and only then closable, once its answer has gone. */
const idleSweepMs = 50

async function close(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs)
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
  await closed
  clearInterval(sweep)
  clearTimeout(deadline)
}
