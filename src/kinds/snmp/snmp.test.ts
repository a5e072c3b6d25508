import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { ber, berInteger, berTags } from '#kinds/ber.ts'
import { createNet } from '#net/create-net.ts'
import { checkOnce } from '../../../test/support/check.ts'
import {
  agentEngine,
  agentUser,
  goodSnmp,
  type Send,
  snmpAgent,
  snmpReport,
  snmpResponse,
} from '../../../test/support/snmp-stand-in.ts'
import { closedUdpPort, udpServer } from '../../../test/support/udp-server.ts'
import { type Pdu, readCommunityMessage } from './snmp-message.ts'
import { snmp } from './snmp.ts'
import { noUser, userMessage, type UsmUser } from './usm.ts'

type Options = Record<string, unknown>

const oid = '1.3.6.1.4.1.9.1'
const asUser = { version: '3', ...agentUser } as const
const silentToCommunity = /^Timed out after 300 ms .*: agents are silent to those who do not know the community$/

function check(port: number, options: Options = {}, timeoutMs = 3000): Promise<Verdict> {
  return checkOnce(snmp, { url: `127.0.0.1:${port}`, options, timeoutMs })
}

/** An agent that answers with this value, whatever it is asked for. */
async function holding(value: Buffer, options: Options = {}): Promise<Verdict> {
  const { port } = await snmpAgent({ answer: (pdu) => snmpResponse(pdu, value) })
  return check(port, options)
}

function short({ status, error }: Verdict): [string, string | null] {
  return [status, error]
}

describe('an agent of SNMP', () => {
  it('is up when it answers, and tells for how long it has run', async () => {
    const { port, received } = await snmpAgent()
    const { status, error, details, latencyMs, phases } = await check(port)
    assert.deepEqual([status, error, details], ['up', null, { value_type: 'TimeTicks', uptime_seconds: 60 }])
    assert.ok(latencyMs !== null && phases.ttfbMs !== null)
    assert.deepEqual([phases.connectMs, phases.transferMs], [null, null])
    assert.deepEqual(
      [received.length, readCommunityMessage(received[0] ?? Buffer.alloc(0))?.name],
      [1, '1.3.6.1.2.1.1.3.0'],
    )
  })

  it('is told the community of the monitor, and public where there is none', async () => {
    const { port, received } = await snmpAgent()
    await check(port)
    await check(port, { community: 'hunter2' })
    assert.deepEqual(
      received.map((datagram) => ['public', 'hunter2'].map((each) => datagram.includes(each))),
      [
        [true, false],
        [false, true],
      ],
    )
  })

  it('is asked as a user by two exchanges, and sees nothing in clear', async () => {
    for (const protocol of ['SHA-1', 'SHA-256'] as const) {
      const { port, received } = await snmpAgent({ protocol })
      const options = { ...asUser, auth_protocol: protocol, oid, expected_value: 'ok' }
      const { status, error, details, phases } = await check(port, options)
      assert.deepEqual([status, error, details], ['up', null, { value_type: 'OCTET STRING' }])
      assert.ok(phases.ttfbMs !== null && phases.transferMs !== null)
      assert.equal(received.length, 2)
      const asked = Buffer.concat(received).toString('latin1')
      for (const secret of [
        agentUser.auth_password,
        agentUser.priv_password,
        '\u0006\u0007+\u0006\u0001\u0004\u0001\u0009\u0001',
      ])
        assert.ok(!asked.includes(secret))
    }
  })

  it('is asked once more where its clock is another one than it told', async () => {
    const { port, received } = await snmpAgent({ told: { ...agentEngine, boots: 1 } })
    assert.equal((await check(port, asUser)).status, 'up')
    assert.equal(received.length, 3)
  })

  it('is asked again where a datagram is lost, in each exchange', async () => {
    const { port: to } = await snmpAgent()
    for (const lost of [1, 2]) {
      let count = 0
      const relay = await udpServer((datagram, send) => {
        count += 1
        if (count !== lost) void forward(to, datagram).then(send)
      })
      assert.equal((await check(relay.port, asUser, 4000)).status, 'up', `without the datagram ${lost}`)
      assert.equal(count, 3)
    }
  })

  it('is told nothing at a public address without encryption', async () => {
    const text = '192.0.2.1:161 is at a public address, to which nothing is sent in clear text'
    const net = createNet({ allowPrivate: 'none' })
    const url = '8.8.8.8'
    const { priv_password: _, ...authOnly } = asUser
    for (const options of [{}, authOnly])
      assert.equal((await checkOnce(snmp, { url, options, timeoutMs: 300 }, net)).error, text.replace('192.0.2.1', url))
  })
})

/** Sends a datagram on, and waits for what is sent back. */
async function forward(port: number, datagram: Buffer): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const { createSocket } = await import('node:dgram')
  const socket = createSocket('udp4')
  socket.once('message', (reply) => {
    socket.close()
    resolve(reply)
  })
  socket.send(datagram, port, '127.0.0.1')
  return promise
}

describe('what is expected of a variable', () => {
  const other = 'The variable has another value than the expected one'
  const cases: [name: string, value: Buffer, options: Options, status: string, error: string | null][] = [
    ['a text', ber(4, 'ok'), { expected_value: 'ok' }, 'up', null],
    ['another text', ber(4, 'ok '), { expected_value: 'ok' }, 'down', other],
    ['an empty text', ber(4), { expected_value: '' }, 'up', null],
    ['octets that are no text', ber(4, Buffer.from([0xff, 0])), { expected_value: '0xff00' }, 'up', null],
    ['a number', berInteger(7), { expected_value: '7', min_value: 7, max_value: 7 }, 'up', null],
    ['a negative number', ber(2, Buffer.from([0xfe, 0xd4])), { expected_value: '-300' }, 'up', null],
    ['a gauge', ber(0x42, Buffer.from([0, 0xff, 0xff, 0xff, 0xff])), { expected_value: '4294967295' }, 'up', null],
    // As agents send it that leave out the zero byte.
    ['a short gauge', ber(0x42, Buffer.from([0xff, 0xff, 0xff, 0xff])), { expected_value: '4294967295' }, 'up', null],
    [
      'a counter of 64 bits',
      ber(0x46, Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
      { expected_value: '18446744073709551615' },
      'up',
      null,
    ],
    ['an address', ber(0x40, Buffer.from([10, 0, 0, 1])), { expected_value: '10.0.0.1' }, 'up', null],
    ['an identifier', ber(6, Buffer.from([0x88, 0x37, 3])), { expected_value: '2.999.3' }, 'up', null],
    ['a number as text', ber(4, ' 21.5 '), { max_value: 21 }, 'degraded', 'The variable is a larger number than 21'],
    ['too small', berInteger(6), { min_value: 7 }, 'degraded', 'The variable is a smaller number than 7'],
    ['no number', ber(4, 'hot'), { min_value: 7 }, 'down', 'The variable is no number'],
    ['digits that are octets', ber(4, Buffer.from([0xff])), { max_value: 7 }, 'down', 'The variable is no number'],
  ]
  for (const [name, value, options, status, error] of cases)
    it(name, async () => assert.deepEqual(short(await holding(value, { oid, ...options })), [status, error]))

  it('is in no verdict', async () => {
    const verdict = await holding(ber(4, 'hunter2'), { oid, expected_value: 'ok', max_value: 3 })
    assert.doesNotMatch(JSON.stringify(verdict), /hunter2/)
  })

  const absent: [name: string, value: Buffer, error: string][] = [
    ['an unknown object', ber(0x80), 'The agent has no such variable, or does not show it'],
    ['an unknown instance', ber(0x81), 'The agent has no such variable, or does not show it'],
    ['a value of no type', ber(0x99, 'a'), 'The agent sent a value that cannot be read'],
    ['an address of three bytes', ber(0x40, 'abc'), 'The agent sent a value that cannot be read'],
    ['a number of ten bytes', ber(2, Buffer.alloc(10)), 'The agent sent a value that cannot be read'],
  ]
  for (const [name, value, error] of absent)
    it(name, async () => assert.deepEqual(short(await holding(value, { oid })), ['down', error]))
})

/** Sends answers as another user than the one who asked. */
function as(change: (user: UsmUser) => UsmUser): Send {
  return (pdu, { messageId, user }) => userMessage(messageId, pdu, { engine: agentEngine, user: change(user) })
}

describe('an agent that is not in order', () => {
  const notSnmp = 'Not an SNMP agent: it answers otherwise'

  it('refuses', async () => {
    for (const [errorStatus, error] of [
      [16, 'The agent refuses the question: authorizationError, error 16'],
      [99, 'The agent refuses the question: error 99'],
    ] as const) {
      const { port } = await snmpAgent({ answer: (pdu) => snmpResponse(pdu, ber(berTags.nothing), { errorStatus }) })
      assert.deepEqual(short(await check(port)), ['down', error])
    }
  })

  it('does not accept the password', async () => {
    const { port } = await snmpAgent()
    assert.equal(
      (await check(port, { ...asUser, auth_password: 'another secret' })).error,
      'The agent does not accept the password, or authenticates by another protocol',
    )
  })

  it('reports an unknown counter', async () => {
    const { port } = await snmpAgent({ answer: () => snmpReport('1.3.6.1.6.3.99.1') })
    assert.equal((await check(port, asUser)).error, 'The agent refuses the message: 1.3.6.1.6.3.99.1')
  })

  const others: [name: string, answer: (pdu: Pdu) => Buffer | null][] = [
    ['to another question', (pdu) => goodSnmp({ ...pdu, requestId: pdu.requestId - 1 })],
    ['with a question', (pdu) => snmpResponse(pdu, berInteger(1), { tag: 0xa0 })],
    ['with no variable', ({ requestId }) => ber(0xa2, berInteger(requestId), berInteger(0), berInteger(0), ber(0x30))],
    ['with what is no PDU', () => ber(0xa2, 'what')],
  ]
  for (const [name, answer] of others)
    it(`answers ${name}`, async () => {
      const { port } = await snmpAgent({ answer })
      for (const options of [{}, asUser]) assert.equal((await check(port, options, 400)).error, notSnmp)
    })

  it('answers with another variable', async () => {
    const { port } = await snmpAgent({ answer: (pdu) => goodSnmp({ ...pdu, name: '1.3.6.1.2.1.1.4.0' }) })
    for (const options of [{}, asUser]) assert.equal((await check(port, options)).error, notSnmp)
  })

  it('is not believed where its answer is not authentic, or not encrypted', async () => {
    for (const send of [
      as(() => noUser),
      as((user) => ({ ...user, privKey: null })),
      as((user) => ({ ...user, authKey: randomBytes(32) })),
    ]) {
      const { port } = await snmpAgent({ send })
      assert.equal((await check(port, asUser, 400)).error, notSnmp)
    }
  })

  it('has a name that is too short or too long for an engine', async () => {
    for (const length of [0, 4, 33]) {
      const { port } = await snmpAgent({ told: { ...agentEngine, id: Buffer.alloc(length, 1) } })
      assert.equal((await check(port, asUser)).error, notSnmp)
    }
  })

  it('is never in time', async () => {
    const late = await snmpAgent({
      answer: () => snmpReport('1.3.6.1.6.3.15.1.1.2.0'),
    })
    assert.equal((await check(late.port, asUser)).error, "The agent's clock is another one each time it is asked")
    assert.equal(late.received.length, 3)
  })

  it('is silent, or not there', async () => {
    const silent = await udpServer(() => {})
    assert.match(String((await check(silent.port, {}, 300)).error), silentToCommunity)
    assert.match(String((await check(silent.port, asUser, 300)).error), /do not know version 3$/)
    const closed = await closedUdpPort()
    assert.match(String((await check(closed)).error), /^Connection refused by 127/)
  })
})
