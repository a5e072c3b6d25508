import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { noPhases } from '#core/results/result.ts'
import type { UdpOutcome } from '#net/dial/udp.ts'
import { checkOnce } from '../../test/support/check.ts'
import { closedUdpPort, udpServer } from '../../test/support/udp-server.ts'
import { isNtpReply, ntpRequest, readNtpReply } from './ntp-packet.ts'
import { judgeNtp, ntp } from './ntp.ts'

const epochSeconds = 2_208_988_800

type Answer = {
  leap?: number
  mode?: number
  stratum?: number
  reference?: string
  nonce?: Uint8Array
  receivedAtMs?: number
  sentAtMs?: number
}

/** An answer as RFC 5905 7.3 lays it out. */
function answerTo(question: Uint8Array, answer: Answer = {}): Buffer {
  const packet = Buffer.alloc(48)
  packet[0] = ((answer.leap ?? 0) << 6) | (4 << 3) | (answer.mode ?? 4)
  packet[1] = answer.stratum ?? 2
  packet.writeUInt32BE(65_536 / 2, 4)
  packet.writeUInt32BE(65_536 / 4, 8)
  packet.write(answer.reference ?? '\u0001\u0002\u0003\u0004', 12, 'latin1')
  packet.set(answer.nonce ?? question.subarray(40, 48), 24)
  for (const [offset, ms] of [
    [32, answer.receivedAtMs ?? Date.now()],
    [40, answer.sentAtMs ?? Date.now()],
  ] as const) {
    const seconds = ms / 1000 + epochSeconds
    packet.writeUInt32BE(Math.floor(seconds) % 2 ** 32, offset)
    packet.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), offset + 4)
  }
  return packet
}

const question = ntpRequest(new Uint8Array(8).fill(7))
const nowMs = Date.UTC(2026, 10, 21)

function outcome(answer: Answer): UdpOutcome {
  const reply = answerTo(question, { receivedAtMs: nowMs + 2.5, sentAtMs: nowMs + 3.5, ...answer })
  const times = { latencyMs: 5, phases: noPhases }
  return { ok: true, address: '192.0.2.1', reply, rttMs: 5, sentAtMs: nowMs, ...times }
}

describe('what a time server says', () => {
  const cases = [
    ['a good answer', {}, {}, 'up', null],
    ['stratum 15', { stratum: 15 }, {}, 'up', null],
    ['a leap second to come', { leap: 1 }, {}, 'up', null],
    ['stratum 16', { stratum: 16 }, {}, 'down', 'time.example answers, but its clock is not synchronised (stratum 16)'],
    ['leap 3', { leap: 3 }, {}, 'down', 'time.example answers, but its clock is not synchronised (stratum 2)'],
    [
      'stratum 0 without a code',
      { stratum: 0, reference: '\0\0\0\0' },
      {},
      'down',
      'time.example answers, but its clock is not synchronised (stratum 0)',
    ],
    [
      'the kiss of RATE',
      { stratum: 0, reference: 'RATE' },
      {},
      'down',
      'time.example refuses to tell the time: it is asked too often (RATE)',
    ],
    [
      'a kiss that is not known',
      { stratum: 0, reference: 'XY\u0001\0' },
      {},
      'down',
      'time.example refuses to tell the time: kiss code (XY)',
    ],
    [
      'the kiss of an unset clock',
      { leap: 3, stratum: 0, reference: 'INIT' },
      {},
      'down',
      'time.example answers, but its clock is not synchronised (stratum 0)',
    ],
    [
      'an offset at the limit',
      { receivedAtMs: nowMs + 102.5, sentAtMs: nowMs + 103.5 },
      { max_offset_ms: 100 },
      'up',
      null,
    ],
    [
      'an offset above the limit',
      { receivedAtMs: nowMs + 1502.5, sentAtMs: nowMs + 1503.5 },
      { max_offset_ms: 100 },
      'down',
      'The clock of time.example is 1500 ms fast, more than 100 ms',
    ],
    [
      'an offset below the limit',
      { receivedAtMs: nowMs - 1497.5, sentAtMs: nowMs - 1496.5 },
      { max_offset_ms: 100 },
      'down',
      'The clock of time.example is 1500 ms slow, more than 100 ms',
    ],
    ['an offset that nobody limits', { receivedAtMs: nowMs - 1497.5, sentAtMs: nowMs - 1496.5 }, {}, 'up', null],
  ] as const
  for (const [name, answer, options, status, error] of cases)
    it(`is ${status} with ${name}`, () => {
      const verdict = judgeNtp(outcome(answer), { options, url: 'time.example' })
      assert.deepEqual([verdict.status, verdict.error], [status, error])
    })

  it('gives the details of RFC 5905', () => {
    const { details } = judgeNtp(outcome({ receivedAtMs: nowMs + 12.5, sentAtMs: nowMs + 13.5 }), {
      options: {},
      url: 'time.example',
    })
    assert.deepEqual(details, {
      offset_ms: 10,
      stratum: 2,
      delay_ms: 4,
      leap: 0,
      reference_id: '1.2.3.4',
      root_delay_ms: 500,
      root_dispersion_ms: 250,
    })
  })
})

describe('an NTP packet', () => {
  it('answers only the question whose nonce it holds', () => {
    assert.equal(isNtpReply(answerTo(question), question), true)
    assert.equal(isNtpReply(answerTo(question, { nonce: new Uint8Array(8) }), question), false)
    assert.equal(isNtpReply(answerTo(question, { mode: 3 }), question), false)
    assert.equal(isNtpReply(answerTo(question).subarray(0, 47), question), false)
    assert.equal(isNtpReply(Buffer.concat([answerTo(question), Buffer.alloc(20)]), question), true)
    assert.equal(isNtpReply(question, question), false)
  })

  it('is read in the right era, also after 7 February 2036', () => {
    for (const ms of [
      Date.UTC(2026, 0, 1),
      Date.UTC(2036, 1, 7, 6, 28, 15),
      Date.UTC(2036, 1, 7, 6, 28, 17),
      Date.UTC(2090, 0, 1),
    ]) {
      const { receivedAtMs } = readNtpReply(answerTo(question, { receivedAtMs: ms }), ms + 3_600_000)
      assert.ok(Math.abs(receivedAtMs - ms) < 0.001, `${receivedAtMs} is not ${ms}`)
    }
  })

  it('never makes the parser throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.boolean(), (bytes, isForUs) => {
        if (isForUs && bytes.length >= 48) {
          bytes[0] = ((bytes[0] ?? 0) & 0xf8) | 4
          bytes.set(question.subarray(40, 48), 24)
        }
        if (!isNtpReply(bytes, question)) return
        const reply = readNtpReply(bytes, nowMs)
        assert.match(reply.referenceId, /^[!-~]*$/)
        for (const value of Object.values(reply)) assert.ok(typeof value !== 'number' || Number.isFinite(value))
      }),
    )
  })
})

describe('a check of kind ntp', () => {
  it('is up when the server answers, and asks with a new nonce each time', async () => {
    const { port, received } = await udpServer((datagram, send) => send(answerTo(datagram)))
    for (let round = 0; round < 2; round += 1) {
      const verdict = await checkOnce(ntp, { url: `127.0.0.1:${port}`, options: { max_offset_ms: 1000 } })
      assert.deepEqual([verdict.status, verdict.error], ['up', null])
      assert.equal(verdict.details['stratum'], 2)
    }
    assert.deepEqual(
      received.map((packet) => [packet.length, packet[0]]),
      [
        [48, 0x23],
        [48, 0x23],
      ],
    )
    const [first, second] = received.map((packet) => packet.subarray(40).toString('hex'))
    assert.notEqual(first, second)
  })

  it('is down when something else answers, the port is closed, or nothing comes', async () => {
    const other = await udpServer((_, send) => send(Buffer.from('hello')))
    const stray = await udpServer((datagram, send) => send(answerTo(datagram, { nonce: new Uint8Array(8) })))
    const silent = await udpServer(() => {})
    const free = await closedUdpPort()
    const cases = [
      [other.port, `127.0.0.1:${other.port} answered, but not as a time server does`],
      [stray.port, `127.0.0.1:${stray.port} answered, but not as a time server does`],
      [silent.port, 'Timed out after 500 ms while waiting for the answer'],
      [free, `Connection refused by 127.0.0.1:${free}: nothing listens on this UDP port`],
    ] as const
    for (const [port, error] of cases) {
      const verdict = await checkOnce(ntp, { url: `127.0.0.1:${port}`, timeoutMs: 500 })
      assert.deepEqual([verdict.status, verdict.latencyMs, verdict.error], ['down', null, error])
    }
  })

  it('takes a limit of 1 to 60000 ms and a host with or without a port', () => {
    assert.deepEqual([{}, { max_offset_ms: 1 }, { max_offset_ms: 60_000 }].map(isValid), [true, true, true])
    assert.deepEqual([{ max_offset_ms: 0 }, { max_offset_ms: 60_001 }, { other: 1 }].map(isValid), [
      false,
      false,
      false,
    ])
    assert.equal(
      ntp.targetProblem('pool.ntp.org', () => false),
      null,
    )
    assert.match(ntp.targetProblem('ntp://pool.ntp.org', () => false) ?? '', /Must be a host/)
  })
})

function isValid(options: Record<string, unknown>): boolean {
  return ntp.options.safeParse(options).success
}
