// The other side of a soak, in a process of its own: a target that answers from memory and fails by plan, and receivers
// of alerts. They tell what they saw when they are asked. Run: stand-ins.ts <plan as JSON>
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type Outage, breaksConnection, outagesOf, type Plan } from './outages.ts'
import { nothingSeen, see, type Seen } from './witness.ts'

export type Given = Plan & { monitors: number; intervalMs: number }

/** Attempts that came with one `webhook-id`. */
export type Arrival = { id: string; contact: string; taken: number; refused: number }

export type Addresses = { targets: string[]; receiver: string }
export type Witnessed = { seen: Seen[]; arrivals: Arrival[] }

/** One port of one address has only so many connections a minute. */
const ports = 8
/** The contact `shaky` is refused the first attempt of every so many alerts, and the second is taken some seconds later. */
const alertsPerRefusal = 10
const body = 'well'.repeat(50)
const well = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
const failing = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

const given: Given = JSON.parse(process.argv[2] ?? '')
const plans: Outage[][] = Array.from({ length: given.monitors }, (_, monitor) => outagesOf(monitor, given))
const seen: Seen[] = Array.from({ length: given.monitors }, nothingSeen)
const arrivals = new Map<string, Arrival>()
let beganAt = Number.POSITIVE_INFINITY

const targets: string[] = []
for (let port = 0; port < ports; port += 1) targets.push(await listening(createServer(answer)))
const addresses: Addresses = { targets, receiver: await listening(createHttpServer(receive)) }
process.on('message', (asked) => {
  if (asked === 'begin') beganAt = Date.now()
  const witnessed: Witnessed = { seen, arrivals: [...arrivals.values()] }
  process.send?.(asked === 'begin' ? 'begun' : witnessed)
})
// The soak has ended, well or not.
process.on('disconnect', () => process.exit())
process.send?.(addresses)

function answer(socket: Socket): void {
  socket.on('error', () => {})
  socket.once('data', (bytes) => {
    const at = Date.now()
    const monitor = Number(/^\w+ \/(\d+) /.exec(bytes.toString('latin1'))?.[1])
    const before = seen[monitor]
    if (before === undefined) return void socket.end(failing)
    const sinceMs = at - beganAt
    const fails = plans[monitor]?.some(({ fromMs, toMs }) => sinceMs >= fromMs && sinceMs < toMs) === true
    see(before, { at, fails, intervalMs: given.intervalMs })
    if (fails && breaksConnection(monitor)) socket.destroy()
    else socket.end(fails ? failing : well)
  })
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  request.once('end', () => {
    const contact = (request.url ?? '').slice(1)
    const id = String(request.headers['webhook-id'])
    const known = arrivals.get(id)
    const arrival = known ?? { id, contact, taken: 0, refused: 0 }
    arrivals.set(id, arrival)
    const isRefused = known === undefined && contact === 'shaky' && arrivals.size % alertsPerRefusal === 0
    if (isRefused) arrival.refused += 1
    else arrival.taken += 1
    response.writeHead(isRefused ? 503 : 204).end()
  })
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1', 4096)
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server without a port.')
  return `http://127.0.0.1:${address.port}`
}
