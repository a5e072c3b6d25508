// Messages of the bus: valid ones, of which some members are then off, and bytes that were made to do harm.
import { isMonitorId } from '#core/monitors/monitor-id.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { damaged, hostileTexts } from '../damage.ts'
import type { Random } from '../random.ts'
import { testView } from '../../../support/views.ts'

export type Known = {
  /** Ids of monitors that the sender's location checks, and of others that it does not. */
  own: readonly string[]
  foreign: readonly string[]
  location: string
  foreignLocation: string
  nowMs: number
}

/** What is sent, by the part that takes it. `place` ends the subject, where there is one. */
export type Message = { type: MessageType; place: string; reply: string; bytes: Uint8Array }

const types = ['results', 'presence', 'request', 'answer', 'change', 'route'] as const
export type MessageType = (typeof types)[number]

const likely: readonly MessageType[] = ['results', 'results', 'results', ...types]
/** How many members are off: what is readable comes furthest. */
const damages = [0, 0, 0, 0, 0, 1, 1, 3]
/** Neither the broker nor the pipe of the probers takes more at once. */
const maxBytes = 1024 * 1024
const phases = [null, 1, null, 2, 3]
const usual = [0, 200, 12, null, phases, {}]
const minuteUs = 60_000_000

export function drawMessage(random: Random, known: Known): Message {
  const type = random.pick(likely)
  const value = valueOf(type, random, known)
  return {
    type,
    place: placeOf({ type, value }, random, known),
    reply: replyOf(random, known),
    bytes: bytesOf(value, random).subarray(0, maxBytes),
  }
}

function valueOf(type: MessageType, random: Random, known: Known): unknown {
  switch (type) {
    case 'results':
      return resultsOf(random, known)
    case 'answer':
      return [resultOf(random, known, idOf(random, known))]
    case 'presence':
      return presenceOf(random, known)
    case 'request':
      return Array.from({ length: random.pick([0, 1, 200, 201, 3_000]) }, () => idOf(random, known))
    case 'route':
      return takenRouteOf(random, known)
    case 'change':
      return {
        monitorId: idOf(random, known),
        partition: random.pick([0, 63, 64, -1, 1e15]),
        ...(random.chance(0.3) ? { hasRecovered: random.chance(0.5) } : {}),
        ...(random.chance(0.3) ? { failedMs: random.pick([known.nowMs, 0, -1e308, 1e308]) } : {}),
      }
  }
}

/** Mostly of one monitor, because all in a message have to be of one partition. */
function resultsOf(random: Random, known: Known): unknown[][] {
  const one = random.chance(0.7) ? idOf(random, known) : null
  const strange = Array.from({ length: 1 + random.below(4) }, () => resultOf(random, known, one ?? idOf(random, known)))
  const nowUs = known.nowMs * 1000
  const plain = Array.from({ length: random.pick([0, 0, 0, 0, 0, 0, 20, 90, 2_000]) }, (_, index) => [
    one ?? known.own[0],
    1,
    nowUs - index - 1,
    known.location,
    ...usual,
  ])
  return [...strange, ...plain]
}

function resultOf(random: Random, known: Known, id: string): unknown[] {
  const { location, foreignLocation, nowMs } = known
  const nowUs = nowMs * 1000 + random.below(1000)
  const round = random.pick([
    nowUs,
    nowUs,
    nowUs - minuteUs,
    0,
    nowUs - 180 * minuteUs,
    nowUs + 600 * minuteUs,
    2 ** 52,
  ])
  const version = random.pick([1, 1, 1, 0, 2, 2 ** 31, 2 ** 52])
  const where = random.chance(0.02) ? foreignLocation : location
  const head = [id, version, round, where]
  if (random.chance(0.2)) return head
  const rare = [
    expiryOf(random),
    evidenceOf(random),
    random.pick(['203.0.113.7', '::ffff:1.2.3.4%1', 7]),
    viewOf(random),
  ]
  return [...head, ...verdictOf(random), ...rare.slice(0, random.below(5))]
}

/** Of a shape that every reader takes; what it holds is for the engine and the database. */
function verdictOf(random: Random): unknown[] {
  if (random.chance(0.3)) return usual
  const number = random.pick([0, 200, 32_768, 2 ** 31, 2 ** 52])
  const error = random.pick([null, 'refused', ...hostileTexts])
  const details = random.pick([{}, { a: random.pick(hostileTexts) }, { [random.pick(hostileTexts)]: [{ b: 1e308 }] }])
  return [random.below(3), number, random.pick([null, 12, 2 ** 40]), error, phases, details]
}

function expiryOf(random: Random): unknown {
  const notAfter = random.pick(['2027-01-01T00:00:00Z', ...hostileTexts])
  return random.pick([
    null,
    { certificate: { host: 'a', issuer: 'b', notBefore: '2026-01-01T00:00:00Z', notAfter } },
    { domain: { name: random.pick(hostileTexts), expiresAt: random.pick([null, notAfter]) } },
  ])
}

function evidenceOf(random: Random): unknown {
  return random.pick([null, { error: 'x'.repeat(40_000) }, { details: { a: random.pick(hostileTexts) } }])
}

function viewOf(random: Random): unknown {
  const server = random.pick([...hostileTexts, 'x'.repeat(4_000)])
  return random.pick([
    null,
    { error: 'x' },
    testView({ server }),
    testView({ status: 'down', server, answers: [server] }),
  ])
}

function takenRouteOf(random: Random, known: Known): unknown {
  const hop = {
    ttl: random.pick([1, 30, 31, 0]),
    address: random.pick([null, '198.51.100.1', ...hostileTexts]),
    sent: 3,
    received: random.pick([3, 0, 2 ** 52]),
    best_ms: random.pick([null, 1.5, 1e308]),
    median_ms: 2,
  }
  return {
    monitorId: idOf(random, known),
    isFailure: random.chance(0.5),
    agoMs: random.pick([0, 2_000, -1, 1e308]),
    route: {
      address: random.pick([null, '203.0.113.7', ...hostileTexts]),
      end: random.pick(['reached', 'silent', ...hostileTexts]),
      end_reason: random.pick([null, ...hostileTexts]),
      end_code: random.pick([null, 13, 256]),
      hops: Array.from({ length: random.pick([0, 3, 30, 31, 3_000]) }, () => hop),
    },
  }
}

function presenceOf(random: Random, { location, foreignLocation }: Known): unknown {
  return {
    location: random.chance(0.1) ? foreignLocation : location,
    prober: random.pick(['p', `p${random.below(5_000)}`, ...hostileTexts]),
    isLeaving: random.chance(0.2),
    ...(random.chance(0.5) ? { locationName: random.pick(hostileTexts) } : {}),
    ...(random.chance(0.3) ? { isFresh: true } : {}),
    ...(random.chance(0.3) ? { witness: random.pick(hostileTexts) } : {}),
    ...(random.chance(0.3) ? { lostNetworkMs: random.pick([0, 1, 1e15, 1e308]) } : {}),
    ...(random.chance(0.3) ? { setAside: hostileTexts.slice(0, random.below(hostileTexts.length)) } : {}),
  }
}

function idOf(random: Random, { own, foreign }: Known): string {
  if (random.chance(0.7)) return random.pick(own)
  return random.chance(0.8) ? random.pick(foreign) : random.pick(hostileTexts)
}

/** Where the subject of a message ends: a partition, mostly the right one, or the name of a prober or a trial. */
function placeOf({ type, value }: { type: MessageType; value: unknown }, random: Random, { own }: Known): string {
  if (type !== 'results') return random.pick(['p', `p${random.below(5_000)}`, ...own])
  const [first]: unknown[] = Array.isArray(value) ? value : []
  const [id]: unknown[] = Array.isArray(first) ? first : []
  if (typeof id === 'string' && isMonitorId(id) && random.chance(0.9)) return String(partitionOf(id))
  return String(random.below(64))
}

function replyOf(random: Random, { location, foreignLocation }: Known): string {
  return random.pick([
    `_INBOX_${location}.${random.below(100)}`,
    `_INBOX_${foreignLocation}.1`,
    `_INBOX_${location}.${'x'.repeat(3_900)}`,
    'changes',
  ])
}

function bytesOf(value: unknown, random: Random): Uint8Array {
  let body = value
  for (let times = random.pick(damages); times > 0; times -= 1) body = damaged(body, random).body
  const bytes = Buffer.from(JSON.stringify(body) ?? 'null')
  if (random.chance(0.85)) return bytes
  const at = random.below(bytes.length + 1)
  return random.pick<() => Uint8Array>([
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), Uint8Array.of(0xff, 0xfe, 0, 0xc0), bytes.subarray(at)]),
    () => Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    () => Buffer.from(bytes.toString().replace('{}', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)),
    () => Buffer.from(bytes.toString().replace('null', String.raw`"\u0000\ud800"`)),
    () => Buffer.from(bytes.toString().replace('12', '1e999')),
    () => Buffer.from(Array.from({ length: 200 }, () => random.below(256))),
    () => new Uint8Array(),
  ])()
}
