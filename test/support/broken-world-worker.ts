// The thread of broken-world.ts.
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'
import type {
  Dialogue,
  Ending,
  Piece,
  Relay,
  TcpBehaviour,
  UdpBehaviour,
  UdpRelay,
  WorldCertificate,
  WorldReply,
  WorldRequest,
} from './broken-behaviours.ts'
import { portOf } from './raw-server.ts'

const dripMs = 100
const floodBytes = 64 * 1024
/** Datagrams go nowhere once their receiver is gone, so that a flood of them has an end. */
const floodDatagrams = 20_000
const datagramsPerTurn = 50
/**
 * The rest of a flood reaches the server that has the port of its receiver by then, and that answers it. Such an answer
 * is no question: a port is flooded once, and a client asks from one port a few times at most.
 */
const questionsPerPort = 10
/**
 * The relays pass on this many queries at a time. A datagram that is no query, such as the rest of a flood, may get no
 * answer.
 */
const [relayedAtOnce, relayedMs] = [64, 1_000]

const { chainPem, keyPem }: WorldCertificate = workerData
const secureContext = createSecureContext({ cert: chainPem, key: keyPem })
let connections = 0
let accepted = 0
let sentBytes = 0
let relayed = 0
/** The most bytes that one connection passed on, by the port of its relay. */
const passedBytes = new Map<number, number>()

parentPort?.on('message', (request: WorldRequest) => void serve(request))

async function serve(request: WorldRequest): Promise<void> {
  const reply: WorldReply = { id: request.id, value: await answer(request) }
  parentPort?.postMessage(reply)
}

async function answer(request: WorldRequest): Promise<WorldReply['value']> {
  switch (request.call) {
    case 'tcp':
      return portOf(await listen((socket) => behave(socket, request.given)))
    case 'relay':
      return portOf(await listen((socket) => relay(socket, request.given)))
    case 'udp':
      return (await openUdp(0, request.given)).address().port
    case 'udpRelay':
      return (await openUdp(0, request.given)).address().port
    case 'dns':
      return openDns(request.given)
    case 'state':
      return { connections, accepted, sentBytes, passedBytes }
  }
}

/** The port that TCP was given may be taken for UDP; then another one is tried. */
async function openDns({ udp, tcp }: Extract<WorldRequest, { call: 'dns' }>['given']): Promise<number> {
  for (;;) {
    const server = await listen((socket) => ('layer' in tcp ? behave(socket, tcp) : relay(socket, tcp)))
    try {
      await openUdp(portOf(server), udp)
      return portOf(server)
    } catch {
      server.close()
    }
  }
}

async function listen(onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections += 1
    accepted += 1
    socket.on('error', () => {})
    socket.once('close', () => (connections -= 1))
    // A client that ends its side is let go, whatever the behaviour still planned for it.
    socket.once('end', () => socket.end())
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function behave(socket: Socket, behaviour: TcpBehaviour): void {
  if (behaviour.layer === 'starttls' && behaviour.dialogue !== undefined) lead(socket, behaviour.dialogue, behaviour)
  else perform(socket, behaviour.layer === 'tls' ? secured(socket) : socket, behaviour)
}

/** Speaks in clear up to the upgrade. */
function lead(socket: Socket, { greeting, answers, upgradesOn }: Dialogue, behaviour: TcpBehaviour): void {
  socket.write(greeting)
  const onData = (bytes: Buffer): void => {
    const line = bytes.toString('latin1')
    const found = answers.find(([beginning]) => line.startsWith(beginning))
    if (found !== undefined) socket.write(found[1])
    if (!line.startsWith(upgradesOn)) return
    socket.off('data', onData)
    perform(socket, secured(socket), behaviour)
  }
  socket.on('data', onData)
}

function secured(socket: Socket): Socket {
  const layer = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['h2', 'http/1.1'] })
  layer.on('error', () => {})
  layer.once('end', () => socket.destroy())
  return layer
}

/** `layer` is the connection itself, or TLS over it. */
function perform(connection: Socket, layer: Socket, behaviour: TcpBehaviour): void {
  const begin = (): void => {
    if (behaviour.say.length > 0) send(layer, behaviour.say)
    if (behaviour.ending === 'rst') connection.resetAndDestroy()
    else end(layer, behaviour.ending, behaviour.fill)
  }
  if (behaviour.isAsked === true) layer.once('data', begin)
  else begin()
  layer.resume()
}

function end(socket: Socket, ending: Exclude<Ending, 'rst'>, fill: Uint8Array): void {
  switch (ending) {
    case 'silence':
      return
    case 'fin':
      return void socket.end()
    case 'endless':
      return flood(socket, () => repeated(fill))
    case 'random':
      return flood(socket, () => randomBytes(floodBytes))
    case 'drip':
      return drip(socket, fill)
  }
}

function repeated(fill: Uint8Array): Buffer {
  return Buffer.alloc(Math.max(fill.length, floodBytes - (floodBytes % Math.max(1, fill.length))), fill)
}

function flood(socket: Socket, piece: () => Buffer): void {
  const more = (): void => {
    if (!socket.writable) return
    const bytes = piece()
    sentBytes += bytes.length
    socket.write(bytes, more)
  }
  more()
}

function drip(socket: Socket, fill: Uint8Array): void {
  let place = 0
  const timer = setInterval(() => {
    if (socket.writable && fill.length > 0) send(socket, fill.subarray(place % fill.length, (place % fill.length) + 1))
    place += 1
  }, dripMs)
  socket.once('close', () => clearInterval(timer))
}

function send(socket: Socket, bytes: Uint8Array): void {
  sentBytes += bytes.length
  socket.write(bytes)
}

function relay(socket: Socket, { to, cutAt, ending, isDripping }: Relay): void {
  const upstream = connect(to, '127.0.0.1')
  upstream.on('error', () => {})
  let left = cutAt ?? Infinity
  let passedHere = 0
  const waiting: Buffer[] = []
  socket.on('data', (bytes) => upstream.write(bytes))
  socket.once('close', () => upstream.destroy())
  const pass = (bytes: Buffer): void => {
    const passed = bytes.subarray(0, left)
    left -= passed.length
    passedHere += passed.length
    notePassed(socket.localPort ?? 0, passedHere)
    if (socket.writable) socket.write(passed)
    if (left > 0) return
    upstream.destroy()
    if (ending === 'fin') socket.end()
    else if (ending === 'rst') socket.resetAndDestroy()
  }
  upstream.on('data', (bytes) => void (isDripping ? waiting.push(bytes) : pass(bytes)))
  upstream.once('end', () => void (isDripping || left <= 0 || socket.end()))
  if (isDripping) dripOn(socket, () => takeByte(waiting), pass)
}

/** The longest counts, where there were several. */
function notePassed(port: number, bytes: number): void {
  passedBytes.set(port, Math.max(bytes, passedBytes.get(port) ?? 0))
}

function dripOn(socket: Socket, take: () => Buffer | null, pass: (byte: Buffer) => void): void {
  const timer = setInterval(() => {
    const byte = take()
    if (byte !== null) pass(byte)
  }, dripMs)
  socket.once('close', () => clearInterval(timer))
}

function takeByte(waiting: Buffer[]): Buffer | null {
  const first = waiting.shift()
  if (first === undefined) return null
  if (first.length > 1) waiting.unshift(first.subarray(1))
  return first.subarray(0, 1)
}

async function openUdp(port: number, given: UdpBehaviour | UdpRelay): Promise<UdpSocket> {
  const socket = createSocket('udp4')
  const questions = new Map<number, number>()
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('error', () => {})
  socket.on('message', (query, peer) => {
    const asked = (questions.get(peer.port) ?? 0) + 1
    questions.set(peer.port, asked)
    if (asked > questionsPerPort) return
    const reply = (bytes: Uint8Array): void => {
      sentBytes += bytes.length
      socket.send(bytes, peer.port, peer.address, () => {})
    }
    if ('to' in given) relayDatagram(query, given, reply)
    else answerDatagram(query, asked === 1 ? given : { ...given, ending: 'silence' }, reply)
  })
  return socket
}

function answerDatagram(
  query: Buffer,
  { answer: pieces, ending }: UdpBehaviour,
  reply: (bytes: Uint8Array) => void,
): void {
  const bytes = Buffer.concat(pieces.map((piece) => bytesOf(piece, query)))
  if (pieces.length > 0) reply(bytes)
  if (ending === 'silence') return
  let left = floodDatagrams
  const more = (): void => {
    for (let count = 0; count < datagramsPerTurn; count += 1) reply(ending === 'endless' ? bytes : randomBytes(1000))
    left -= datagramsPerTurn
    if (left > 0) setImmediate(more)
  }
  more()
}

function bytesOf(piece: Piece, query: Buffer): Uint8Array {
  return piece instanceof Uint8Array ? piece : query.subarray(piece.from, piece.to ?? query.length)
}

function relayDatagram(query: Buffer, { to, cutAt }: UdpRelay, reply: (bytes: Uint8Array) => void): void {
  if (relayed >= relayedAtOnce) return
  relayed += 1
  const upstream = createSocket('udp4')
  const timer = setTimeout(() => upstream.close(), relayedMs).unref()
  upstream.once('close', () => {
    clearTimeout(timer)
    relayed -= 1
  })
  upstream.on('error', () => {})
  upstream.once('message', (bytes) => {
    reply(bytes.subarray(0, cutAt))
    upstream.close()
  })
  upstream.send(query, to, '127.0.0.1')
  upstream.unref()
}
