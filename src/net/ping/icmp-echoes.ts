import { randomBytes, randomInt } from 'node:crypto'
import { cookieBytes, echoRequest, type Family, readEchoReply } from './icmp-packet.ts'
import type { IcmpWire, OnPacket } from './icmp-wire.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { plainAddress } from './socket-address.ts'

/** The callbacks of one echo request. One of them is called, once, unless the request was cancelled before. */
export type EchoHearer = {
  onReply: (rttMs: number) => void
  onError: (error: NodeJS.ErrnoException) => void
}

export type Echoes = {
  /** Sends an echo request to a literal address of the family; the returned function cancels it. */
  send: (address: string, hearer: EchoHearer) => () => void
  close: () => void
}

/** `address` is the target, `sender` the same in its plain spelling. */
type Waiting = EchoHearer & { number: number; address: string; sender: string; cookie: Buffer; sentMs: number }

const sequences = 65_536
/** Far more than a prober checks at once. Some numbers stay free, so that the next free one is found soon. */
const maxWaiting = 60_000

/**
 * libuv reads this many packets in a turn of the event loop. If more were sent in one, the answers of near hosts would
 * overflow the socket's buffer.
 */
const maxPerTurn = 32

/**
 * Any number of pings over one wire. An answer counts when its number, its eight random bytes and its sender fit,
 * because other programs ping too, and any host can send packets.
 */
export async function createEchoes(
  family: Family,
  openWire: (onPacket: OnPacket) => IcmpWire | Promise<IcmpWire>,
): Promise<Echoes> {
  const numbers = new WaitingNumbers()
  const wire = await openWire((packet, sender) => {
    const receivedMs = performance.now()
    const echo = readEchoReply(family, packet)
    const entry = echo === null ? undefined : numbers.find(echo.sequence)
    if (echo === null || entry === undefined || !entry.cookie.equals(echo.cookie)) return
    if (sender !== entry.sender && plainAddress(sender) !== entry.sender) return
    forget(entry)
    entry.onReply(receivedMs - entry.sentMs)
  })
  const identifier = randomInt(sequences)
  const sendPaced = paced((entry) => {
    if (!numbers.has(entry)) return
    const packet = echoRequest(family, { identifier, sequence: entry.number, cookie: entry.cookie })
    entry.sentMs = performance.now()
    wire.send(packet, entry.address, (error) => {
      if (forget(entry)) entry.onError(error)
    })
  })
  function forget(entry: Waiting): boolean {
    const isForgotten = numbers.remove(entry)
    if (isForgotten && numbers.size === 0) wire.setWaiting(false)
    return isForgotten
  }
  return {
    send: (address, hearer) => {
      if (numbers.size >= maxWaiting) throw new OwnTrouble('ENOBUFS', new Error('Too many pings at once.'))
      if (numbers.size === 0) wire.setWaiting(true)
      const [number, sender, cookie] = [numbers.next(), plainAddress(address), randomBytes(cookieBytes)]
      const entry = { ...hearer, number, address, sender, cookie, sentMs: 0 }
      numbers.add(entry)
      sendPaced(entry)
      return () => void forget(entry)
    },
    close: () => wire.close(),
  }
}

/** Pending requests by the 16 bits that an echo has for its number. */
class WaitingNumbers {
  readonly #entries = new Map<number, Waiting>()
  #last = randomInt(sequences)

  get size(): number {
    return this.#entries.size
  }

  /** The next free number; there is one as long as not all are taken. */
  next(): number {
    do this.#last = (this.#last + 1) % sequences
    while (this.#entries.has(this.#last))
    return this.#last
  }

  add(entry: Waiting): void {
    this.#entries.set(entry.number, entry)
  }

  find(number: number): Waiting | undefined {
    return this.#entries.get(number)
  }

  has(entry: Waiting): boolean {
    return this.#entries.get(entry.number) === entry
  }

  remove(entry: Waiting): boolean {
    return this.has(entry) && this.#entries.delete(entry.number)
  }
}

/** Works at once on up to `maxPerTurn` entries in a turn of the event loop, and on the rest in the next turns. */
function paced(work: (entry: Waiting) => void): (entry: Waiting) => void {
  const queue: Waiting[] = []
  let budget = maxPerTurn
  let isTurnAwaited = false
  function onTurn(): void {
    isTurnAwaited = false
    budget = maxPerTurn
    for (const entry of queue.splice(0, maxPerTurn)) take(entry)
  }
  function take(entry: Waiting): void {
    budget -= 1
    work(entry)
    awaitTurn()
  }
  function awaitTurn(): void {
    if (!isTurnAwaited) setImmediate(onTurn)
    isTurnAwaited = true
  }
  return (entry) => {
    if (budget > 0 && queue.length === 0) take(entry)
    else queue.push(entry)
  }
}
