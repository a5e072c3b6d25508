import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode } from 'dns-packet'
import { type DnsReply, type DnsServer, dnsServer } from '../../../test/support/dns-server.ts'
import { zoneReply } from '../../../test/support/dns-zone.ts'
import { failureOf } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { timed } from '../../../test/support/timed.ts'
import { createNet } from '#net/create-net.ts'
import { createTraffic, newTrace, type Unresolved } from '#net/ground/trace.ts'
import type { DnsOutcome } from './dns.ts'
import type { DnsAnswer, DnsQuestion } from './dns-record.ts'

/** Private name servers are asked although no private target may be dialled, because the operator chose them. */
function ask(servers: readonly string[], wishes: Partial<DnsQuestion> = {}, timeoutMs = 2000): Promise<DnsOutcome> {
  const net = createNet({ allowPrivate: 'none', dnsServers: servers })
  const request = { name: 'a.example', type: 'A', ...wishes, timeoutMs } as const
  return timed(() => net.dns(request, AbortSignal.timeout(timeoutMs)))
}

function answerOf(outcome: DnsOutcome): DnsAnswer {
  if (!outcome.ok) throw new Error(`No answer: ${outcome.failure.message}`)
  return outcome.answer
}

/** Answers every question with this address. */
function answering(address: string): () => DnsReply {
  return () => ({ addresses: [address] })
}

function firstAddress(outcome: DnsOutcome): string {
  const [record] = answerOf(outcome).answers
  if (record?.type !== 'A') throw new Error('No address.')
  return record.address
}

/** An answer without records to a query with EDNS. */
function right(query: Buffer): Buffer {
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, query.subarray(12, query.length - 11)])
}

function knowsEdns(query: Buffer): boolean {
  return decode(query).additionals?.length === 1
}

function changed(bytes: Buffer, offset: number, value: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[offset] = value
  return copy
}

describe('a question to the name servers', () => {
  it('gives the records of each type', async () => {
    const { address } = await dnsServer(
      zoneReply({
        'A a.example': ['192.0.2.1', '192.0.2.2'],
        'AAAA a.example': '2001:db8::10',
        'CNAME b.example': 'a.example',
        'MX a.example': ['10 mx.example', '0 .'],
        'NS a.example': 'ns.example',
        'TXT a.example': ['x'.repeat(300), ''],
        'SRV a.example': '0 5 443 srv.example',
        'SOA a.example': 'ns.example host\\.master.example 2026112101 3600 600 86400 60',
      }),
    )
    const cases = [
      ['A', ['192.0.2.1', '192.0.2.2'].map((each) => ({ type: 'A', address: each }))],
      ['AAAA', [{ type: 'AAAA', address: '2001:db8::10' }]],
      [
        'MX',
        [10, 0].map((preference) => ({ type: 'MX', preference, exchange: preference === 0 ? '.' : 'mx.example' })),
      ],
      ['NS', [{ type: 'NS', target: 'ns.example' }]],
      ['TXT', ['x'.repeat(300), ''].map((text) => ({ type: 'TXT', text }))],
      ['SRV', [{ type: 'SRV', priority: 0, weight: 5, port: 443, target: 'srv.example' }]],
      [
        'SOA',
        [
          {
            type: 'SOA',
            mname: 'ns.example',
            rname: 'host\\.master.example',
            numbers: [2026112101, 3600, 600, 86400, 60],
          },
        ],
      ],
    ] as const
    for (const [type, values] of cases) {
      const { answers, rcode, isAuthoritative, isTcp } = answerOf(await ask([address], { type }))
      assert.deepEqual([rcode, isAuthoritative, isTcp], ['NOERROR', true, false])
      assert.deepEqual(
        answers,
        values.map((value) => Object.assign({ name: 'a.example', ttlSeconds: 300 }, value)),
      )
    }
    const alias = answerOf(await ask([address], { name: 'b.example' }))
    assert.deepEqual(
      alias.answers.map(({ name, type }) => [name, type]),
      [
        ['b.example', 'CNAME'],
        ['a.example', 'A'],
        ['a.example', 'A'],
      ],
    )
  })

  it('asks with recursion and EDNS, and with another id and port each time', async () => {
    const { address, queries } = await dnsServer(answering('192.0.2.1'))
    for (let turn = 0; turn < 8; turn++) await ask([address])
    const ids = new Set(queries.map((query) => query.readUInt16BE(0)))
    assert.ok(ids.size > 1)
    for (const query of queries) {
      const { flag_rd: wantsRecursion, additionals } = decode(query)
      assert.equal(wantsRecursion, true)
      assert.deepEqual(
        additionals?.map((each) => each.type === 'OPT' && each.udpPayloadSize),
        [1232],
      )
    }
  })

  it('tells every rcode, with the sections', async () => {
    const soa = { mname: 'ns.example', rname: 'h.example', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 }
    const { address } = await dnsServer(() => ({
      records: [],
      rcode: 'nxdomain',
      authorities: [{ type: 'SOA', name: 'example', ttl: 60, data: soa }],
    }))
    const { rcode, answers, authorities, additionals } = answerOf(await ask([address]))
    assert.deepEqual([rcode, answers, additionals], ['NXDOMAIN', [], []])
    const value = { type: 'SOA', mname: 'ns.example', rname: 'h.example', numbers: [1, 2, 3, 4, 5] }
    assert.deepEqual(authorities, [{ name: 'example', ttlSeconds: 60, ...value }])
  })

  it('asks the next server when one fails, and tells its trouble when none knows better', async () => {
    const failing = await dnsServer(() => 'servfail')
    const refusing = await dnsServer(() => 'refused')
    const good = await dnsServer(answering('192.0.2.7'))
    assert.equal(firstAddress(await ask([failing.address, refusing.address, good.address])), '192.0.2.7')
    assert.equal(answerOf(await ask([failing.address, refusing.address])).rcode, 'SERVFAIL')
    assert.equal(answerOf(await ask([refusing.address])).rcode, 'REFUSED')
    const nowhere = `127.0.0.1:${await freePort()}`
    assert.equal(firstAddress(await ask([nowhere, good.address])), '192.0.2.7')
    assert.equal(answerOf(await ask([nowhere, failing.address])).rcode, 'SERVFAIL')
  })

  it('sends again what got lost', async () => {
    let asked = 0
    const { address, questions } = await dnsServer(() => (++asked === 1 ? 'silent' : { addresses: ['192.0.2.1'] }))
    const outcome = await ask([address], {}, 1000)
    assert.equal(firstAddress(outcome), '192.0.2.1')
    assert.ok(outcome.latencyMs >= 495)
    assert.equal(questions.length, 2)
  })

  it('goes on to the next server in time when one is silent', async () => {
    const silent = await dnsServer(() => 'silent')
    const good = await dnsServer(answering('192.0.2.1'))
    assert.equal(firstAddress(await ask([silent.address, good.address], {}, 1600)), '192.0.2.1')
    assert.equal(silent.questions.length, 2)
  })

  it('ends by its deadline when no server answers', async () => {
    const silent = await dnsServer(() => 'silent')
    const startedAt = performance.now()
    assert.deepEqual(failureOf(await ask([silent.address], {}, 300)), {
      phase: 'dns',
      code: 'timed_out',
      message: 'Timed out after 300 ms while looking up the name of a.example: no name server answered',
    })
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs > 290 && tookMs < 5_000, `took ${tookMs} ms`)
    const before = silent.questions.length
    const net = createNet({ allowPrivate: 'none', dnsServers: [silent.address] })
    const late = await net.dns({ name: 'a.example', type: 'A', timeoutMs: 300 }, AbortSignal.abort())
    assert.equal(failureOf(late).code, 'timed_out')
    assert.equal(silent.questions.length, before)
  })

  it('ends by its own time, though the check has more', async () => {
    const silent = await dnsServer(() => 'silent')
    const net = createNet({ allowPrivate: 'none', dnsServers: [silent.address] })
    const request = { name: 'a.example', type: 'A', timeoutMs: 200 } as const
    const outcome = await net.dns(request, AbortSignal.timeout(20_000))
    assert.equal(failureOf(outcome).code, 'timed_out')
    assert.ok(outcome.latencyMs < 10_000, `took ${outcome.latencyMs} ms`)
  })

  it('says that no name server listens', async () => {
    const { code, message } = failureOf(await ask([`127.0.0.1:${await freePort()}`]))
    assert.deepEqual(
      [code, message],
      ['dns_unreachable', 'A of a.example could not be looked up: no name server listens'],
    )
  })

  it('asks a server that does not know EDNS without it', async () => {
    const old: DnsServer = await dnsServer(() =>
      knowsEdns(old.queries.at(-1) ?? Buffer.alloc(12))
        ? { records: [], rcode: 'formerr', hasEdns: false }
        : { addresses: ['192.0.2.1'] },
    )
    assert.equal(firstAddress(await ask([old.address])), '192.0.2.1')
    assert.equal(old.questions.length, 2)
    const older: DnsServer = await dnsServer(() =>
      knowsEdns(older.queries.at(-1) ?? Buffer.alloc(12))
        ? { datagrams: (query) => [Buffer.from([...query.subarray(0, 2), 0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0])] }
        : { addresses: ['192.0.2.1'] },
    )
    assert.equal(firstAddress(await ask([older.address])), '192.0.2.1')
  })

  it('refuses names that no question can hold, without asking', async () => {
    const { address, questions } = await dnsServer(answering('192.0.2.1'))
    for (const name of [
      '',
      '.',
      'a..example',
      `${'a'.repeat(64)}.example`,
      'a b.example',
      'ü.example',
      'a.'.repeat(127),
    ]) {
      assert.equal(failureOf(await ask([address], { name })).code, 'dns_bad_name', name)
    }
    assert.equal(questions.length, 0)
  })

  it('refuses a name server that is no address', () => {
    assert.throws(() => createNet({ allowPrivate: 'none', dnsServers: ['dns.example'] }), /name server|dns\.example/i)
  })
})

describe('what name servers say to a check', () => {
  const notimp: DnsReply = { records: [], rcode: 'notimp' }
  const garbled: DnsReply = { datagrams: (query) => [right(query).subarray(0, 15)] }
  const told: [what: string, reply: DnsReply, unresolved: Unresolved | null, isConclusive: boolean][] = [
    ['an address', { addresses: ['192.0.2.1'] }, null, false],
    ['no address', { addresses: [] }, null, false],
    ['that the name is none', 'nxdomain', null, true],
    ['that they failed', 'servfail', 'troubled', false],
    ['that they refuse', 'refused', 'troubled', false],
    ['that they do not know how', notimp, null, false],
    ['what is no DNS', garbled, null, false],
    ['nothing', 'silent', 'silent', false],
  ]
  for (const [what, reply, unresolved, isConclusive] of told)
    it(`is ${what}`, async () => {
      const { address } = await dnsServer(() => reply)
      const traffic = createTraffic()
      const net = createNet({ allowPrivate: 'none', dnsServers: [address], traffic })
      const trace = newTrace()
      const request = { name: 'a.example', type: 'A', timeoutMs: 300 } as const
      await traffic.during(trace, () => net.dns(request, AbortSignal.timeout(5_000)))
      assert.deepEqual([trace.unresolved, trace.isConclusive], [unresolved, isConclusive])
    })

  it('is nothing of the name where the whole answer does not come over TCP', async () => {
    const { address } = await dnsServer(
      () => ({ isLong: true, records: [] }),
      (socket) => socket.resetAndDestroy(),
    )
    const traffic = createTraffic()
    const net = createNet({ allowPrivate: 'none', dnsServers: [address], traffic })
    const trace = newTrace()
    const request = { name: 'a.example', type: 'A', timeoutMs: 2_000 } as const
    const outcome = await traffic.during(trace, () => net.dns(request, AbortSignal.timeout(5_000)))
    assert.equal(failureOf(outcome).code, 'dns_tcp_failed')
    assert.equal(trace.unresolved, null)
  })
})

describe('an answer over UDP', () => {
  it('is awaited behind those with a wrong id, another question, or a question instead of an answer', async () => {
    const { address } = await dnsServer(() => ({
      datagrams: (query) => {
        const answer = right(query)
        const otherId = changed(answer, 0, (answer[0] ?? 0) ^ 1)
        const otherName = changed(answer, 13, 0x62)
        const otherType = changed(answer, answer.length - 3, 28)
        return [otherId, query, Buffer.alloc(0), Buffer.alloc(5), otherName, otherType, answer]
      },
    }))
    assert.deepEqual(answerOf(await ask([address])).answers, [])
  })

  it('is a failure when it is no DNS, and the next server is asked', async () => {
    const cut = await dnsServer(() => ({ datagrams: (query) => [right(query).subarray(0, 15)] }))
    const lying = await dnsServer(() => ({ datagrams: (query) => [changed(right(query), 7, 9)] }))
    const crowded = await dnsServer(() => ({ datagrams: (query) => [changed(right(query), 6, 0xff)] }))
    const large = await dnsServer(() => ({ datagrams: (query) => [Buffer.concat([right(query), Buffer.alloc(8000)])] }))
    const good = await dnsServer(answering('192.0.2.1'))
    for (const { address } of [cut, lying, crowded, large]) {
      assert.deepEqual(failureOf(await ask([address])), {
        phase: 'dns',
        code: 'dns_garbled',
        message: "The name server's answer to A of a.example is not valid DNS",
      })
      assert.equal(firstAddress(await ask([address, good.address])), '192.0.2.1')
    }
  })

  it('is not awaited behind a flood of others', async () => {
    const { address } = await dnsServer(() => ({
      datagrams: (query) => Array.from({ length: 150 }, () => changed(right(query), 13, 0x62)),
    }))
    const startedAt = performance.now()
    assert.equal(failureOf(await ask([address])).code, 'dns_garbled')
    assert.ok(performance.now() - startedAt < 5_000)
  })
})

describe('an answer that does not fit into UDP', () => {
  const long: DnsReply = {
    isLong: true,
    records: Array.from({ length: 1500 }, (_, index) => ({
      type: 'TXT',
      name: 'a.example',
      ttl: 60,
      data: `record ${index}`,
    })),
  }

  it('is fetched over TCP, however the bytes come', async () => {
    const whole = await dnsServer(() => long)
    const inPieces = await dnsServer(
      () => long,
      (socket, frame) => {
        socket.setNoDelay(true)
        const pieces = [frame.subarray(0, 1), frame.subarray(1, 2), frame.subarray(2, 20_000), frame.subarray(20_000)]
        const next = (): void => {
          const piece = pieces.shift()
          if (piece !== undefined) socket.write(piece, () => setImmediate(next))
        }
        next()
      },
    )
    for (const { address } of [whole, inPieces]) {
      const { answers, isTcp } = answerOf(await ask([address], { type: 'TXT' }))
      assert.equal(isTcp, true)
      assert.equal(answers.length, 1500)
      const last = answers.at(-1)
      assert.equal(last?.type === 'TXT' && last.text, 'record 1499')
    }
  })

  it('is a failure when TCP is silent, drips, breaks off or is garbled; the next server is asked', async () => {
    const silent = await dnsServer(
      () => long,
      () => {},
    )
    const dripping = await dnsServer(
      () => long,
      (socket, frame) => {
        let sent = 0
        const timer = setInterval(() => socket.write(frame.subarray(sent, ++sent)), 20)
        socket.once('close', () => clearInterval(timer))
      },
    )
    const breaking = await dnsServer(
      () => long,
      (socket, frame) => socket.end(frame.subarray(0, 500)),
    )
    const resetting = await dnsServer(
      () => long,
      (socket) => socket.resetAndDestroy(),
    )
    const garbled = await dnsServer(
      () => long,
      (socket, frame) => socket.end(Buffer.concat([frame.subarray(0, 4), Buffer.alloc(frame.length - 4, 0xff)])),
    )
    const message = 'The answer to TXT of a.example is too long for UDP, and the name server did not give it over TCP'
    for (const { address } of [silent, dripping, breaking, resetting, garbled]) {
      const startedAt = performance.now()
      assert.deepEqual(failureOf(await ask([address], { type: 'TXT' }, 500)), {
        phase: 'dns',
        code: 'dns_tcp_failed',
        message,
      })
      assert.ok(performance.now() - startedAt < 5_000)
    }
    const good = await dnsServer(() => long)
    const next = answerOf(await ask([resetting.address, good.address], { type: 'TXT' }))
    assert.equal(next.answers.length, 1500)
  })

  it('leaves no connection behind', async () => {
    const closed = Promise.withResolvers<void>()
    const { address } = await dnsServer(
      () => long,
      (socket, frame) => {
        socket.once('close', () => closed.resolve())
        socket.resume()
        socket.write(frame)
      },
    )
    await ask([address], { type: 'TXT' })
    await closed.promise
  })
})
