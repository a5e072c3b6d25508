import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fitEvidence, maxPictureLength } from '#core/incidents/evidence.ts'
import { noPhases, type Result, resultStatuses } from '#core/results/result.ts'
import { anyCharacter } from '../../test/support/any-character.ts'
import { configuration } from '../../test/support/bus-contract.ts'
import { testEvidence } from '../../test/support/evidence.ts'
import { testView } from '../../test/support/views.ts'
import { testRoute } from '../../test/support/routes.ts'
import { maxConfigurationsPerRequest, maxMessageBytes, maxResultsPerMessage } from './bus.ts'
import {
  changeCodec,
  CodecError,
  configurationsCodec,
  decodeAssignments,
  decodeResults,
  encodeAssignments,
  encodeResults,
  idsCodec,
  presenceCodec,
  takenRouteCodec,
} from './codec.ts'

/** Plain objects, as JSON.parse makes them. */
function record<T>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }): fc.Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true })
}

const whole = fc.option(fc.nat())
const text = fc.string({ unit: anyCharacter }).map((value) => value.toWellFormed())
const expiry = fc.record(
  {
    certificate: record({ host: text, issuer: text, notBefore: text, notAfter: text }),
    domain: record({ name: text, expiresAt: fc.option(text) }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const verdict = {
  status: fc.constantFrom(...resultStatuses),
  statusCode: whole,
  latencyMs: whole,
  error: fc.option(text),
  phases: record({ dnsMs: whole, connectMs: whole, tlsMs: whole, ttfbMs: whole, transferMs: whole }),
  details: fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    fc.oneof(text, fc.nat(), fc.boolean(), fc.constant(null)),
    { noNullPrototype: true },
  ),
}
const result = record({
  monitorId: fc.uuid(),
  version: fc.nat(),
  round: fc.maxSafeNat(),
  location: text,
  verdict: fc.option(fc.oneof(record(verdict), record({ ...verdict, expiry }))),
})

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

describe('the codec of the bus', () => {
  it('carries the evidence of a failure, with and without an expiry, and leaves out what is none', () => {
    const plain = { monitorId: 'm', version: 1, round: 2, location: 'a' }
    const failed = { status: 'down', statusCode: 500, latencyMs: 1, error: 'x', phases: noPhases, details: {} } as const
    const results: Result[] = [
      { ...plain, verdict: failed, evidence: testEvidence() },
      { ...plain, verdict: { ...failed, expiry: {} }, evidence: testEvidence({ error: 'y' }) },
      { ...plain, verdict: { ...failed, expiry: {} } },
    ]
    const [bytes = new Uint8Array()] = encodeResults(results)
    assert.deepEqual(decodeResults(bytes), results)
    const tuples: unknown[][] = JSON.parse(new TextDecoder().decode(bytes))
    const strange = tuples.map((tuple) => tuple.slice(0, 10).concat(null, { error: 7 }))
    const bare = { ...plain, verdict: failed }
    assert.deepEqual(decodeResults(bytesOf(strange)), [bare, bare, bare])
  })

  it('carries the address that was reached, beside whatever else there is, and leaves out what is none', () => {
    const seen = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} } as const
    const plain = { monitorId: 'm', version: 1, round: 2, location: 'a', verdict: seen }
    const address = '203.0.113.7'
    const results: Result[] = [
      { ...plain, address },
      { ...plain, address: '2001:db8::7', evidence: testEvidence() },
      { ...plain, address, verdict: { ...seen, expiry: {} } },
    ]
    const [bytes = new Uint8Array()] = encodeResults(results)
    assert.deepEqual(decodeResults(bytes), results)
    const [bare = new Uint8Array()] = encodeResults([plain])
    const [told = new Uint8Array()] = encodeResults([{ ...plain, address }])
    assert.equal(told.length - bare.length, ',null,null,"203.0.113.7"'.length)
    const tuples: unknown[][] = JSON.parse(new TextDecoder().decode(bare))
    for (const strange of [null, 7, 'shop.example', '::ffff:203.0.113.7%1', { address }])
      assert.deepEqual(decodeResults(bytesOf(tuples.map((tuple) => tuple.concat(null, null, strange)))), [plain])
    const mapped = tuples.map((tuple) => tuple.concat(null, null, '::ffff:203.0.113.7'))
    assert.deepEqual(decodeResults(bytesOf(mapped)), [{ ...plain, address }])
  })

  it('carries what a check saw in short, beside whatever else there is, and leaves out what is none', () => {
    const seen = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} } as const
    const plain = { monitorId: 'm', version: 1, round: 2, location: 'a', verdict: seen }
    const view = testView({ status_code: 200 })
    const results: Result[] = [
      { ...plain, view },
      { ...plain, view, address: '203.0.113.7' },
      { ...plain, view, evidence: testEvidence() },
      { ...plain, view, verdict: { ...seen, expiry: {} } },
    ]
    const [bytes = new Uint8Array()] = encodeResults(results)
    assert.deepEqual(decodeResults(bytes), results)
    const [bare = new Uint8Array()] = encodeResults([plain])
    const tuples: unknown[][] = JSON.parse(new TextDecoder().decode(bare))
    for (const strange of [null, 7, {}, { ...view, server: 'x'.repeat(3_000) }])
      assert.deepEqual(decodeResults(bytesOf(tuples.map((tuple) => tuple.concat(null, null, null, strange)))), [plain])
  })

  it('puts the largest evidence into messages within their bounds', () => {
    const evidence = fitEvidence(testEvidence({ details: { long: '\u4e00'.repeat(10_000) } }))
    const failed = {
      status: 'down',
      statusCode: null,
      latencyMs: 1,
      error: 'x',
      phases: noPhases,
      details: {},
    } as const
    const one = { monitorId: 'm', version: 1, round: 2, location: 'a', verdict: failed, evidence }
    const messages = encodeResults(Array.from({ length: 100 }, () => one))
    assert.ok(messages.length > 1 && messages.every(({ length }) => length <= maxMessageBytes))
    assert.equal(messages.flatMap(decodeResults).length, 100)
  })

  it('gives back every result as it was, in order, in messages within their bounds', () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 250 }), (results) => {
        const messages = encodeResults(results)
        for (const message of messages) assert.ok(message.byteLength <= maxMessageBytes)
        const decoded = messages.map(decodeResults)
        for (const batch of decoded) assert.ok(batch.length > 0 && batch.length <= maxResultsPerMessage)
        assert.deepEqual(decoded.flat(), results)
      }),
      { numRuns: 50 },
    )
  })

  it('gives back every assignment as it was', () => {
    const order = record({ monitorId: fc.uuid(), version: fc.nat(), round: fc.maxSafeNat() })
    const assignment = fc.oneof(
      order,
      order.map((each) => Object.assign({ wantsView: true as const }, each)),
    )
    fc.assert(
      fc.property(fc.array(assignment), (list) => assert.deepEqual(decodeAssignments(encodeAssignments(list)), list)),
    )
  })

  describe('beside an earlier release', () => {
    const id = '9fb69823-eecf-4b04-81a4-fc97a5730895'
    const phases = { dnsMs: 1, connectMs: 2, tlsMs: null, ttfbMs: 3, transferMs: 4 }
    const of = { monitorId: id, version: 3, round: 1_763_744_400_123_456, location: 'fra' }
    const down = {
      status: 'down',
      statusCode: 500,
      latencyMs: 12,
      error: 'HTTP status 500',
      phases,
      details: {},
    } as const
    const presence = { location: 'fra', prober: 'p', isLeaving: false }
    const [results, orders] = [firstOf(encodeResults), encodeAssignments]
    // These are the bytes that the earlier release wrote and read, so they are never changed.
    const golden: [what: string, text: string, Side<unknown>][] = [
      [
        'a check',
        `[["${id}",3,1763744400123456,"fra",1,500,12,"HTTP status 500",[1,2,null,3,4],{}]]`,
        side(results, decodeResults, [{ ...of, verdict: down }]),
      ],
      [
        'a check that told nothing',
        `[["${id}",3,1763744400123456,"fra"]]`,
        side(results, decodeResults, [{ ...of, verdict: null }]),
      ],
      [
        'an order',
        `[["${id}",3,1763744400123456]]`,
        side(orders, decodeAssignments, [{ monitorId: id, version: 3, round: of.round }]),
      ],
      [
        'a presence',
        '{"location":"fra","prober":"p","isLeaving":false}',
        side(presenceCodec.encode, presenceCodec.decode, presence),
      ],
      [
        'a presence that names its witness',
        '{"location":"fra","prober":"p","isLeaving":false,"witness":"rack-1"}',
        side(presenceCodec.encode, presenceCodec.decode, { ...presence, witness: 'rack-1' }),
      ],
      [
        'a change',
        `{"monitorId":"${id}","partition":21}`,
        side(changeCodec.encode, changeCodec.decode, { monitorId: id, partition: 21 }),
      ],
      ['a request', `["${id}"]`, side(idsCodec.encode, idsCodec.decode, [id])],
    ]
    for (const [what, words, { encoded, decode, value }] of golden)
      it(`writes and reads ${what} as that does`, () => {
        assert.equal(new TextDecoder().decode(encoded), words)
        assert.deepEqual(decode(new TextEncoder().encode(words)), value)
      })
  })

  it('refuses names that are too long to keep', () => {
    const presence = { location: 'here', prober: 'p'.repeat(1_001), isLeaving: false }
    assert.throws(() => presenceCodec.decode(bytesOf(presence)), CodecError)
  })

  it('refuses lists that are longer than any that is sent', () => {
    const lists = [decodeResults, idsCodec.decode] as const
    const results = Array.from({ length: maxResultsPerMessage + 1 }, () => ['m', 1, 2, 'here'])
    const ids = Array.from({ length: maxConfigurationsPerRequest + 1 }, () => 'm')
    for (const [at, list] of [results, ids].entries()) {
      assert.throws(() => lists[at]?.(bytesOf(list)), CodecError)
      assert.equal(lists[at]?.(bytesOf(list.slice(1))).length, list.length - 1)
    }
    assert.throws(() => idsCodec.decode(bytesOf(['m'.repeat(65)])), CodecError)
  })

  it('sends results with large pictures one by one', () => {
    const lists = { console_errors: [], failed_requests: [], steps_ms: [], picture_note: null }
    const evidence = testEvidence({ page: { ...lists, picture: 'A'.repeat(maxPictureLength) } })
    const failed = {
      status: 'down',
      statusCode: null,
      latencyMs: 1,
      error: 'x',
      phases: noPhases,
      details: {},
    } as const
    const plain = { monitorId: 'm', version: 1, round: 2, location: 'a', verdict: failed }
    const pictured = { ...plain, evidence }
    assert.deepEqual(countsOf([pictured]), [1])
    assert.deepEqual(countsOf([plain, pictured, pictured, plain]), [1, 1, 1, 1])
  })

  it('takes a network that was lost before any date for lost a year ago', () => {
    const presence = { location: 'here', prober: 'p', isLeaving: false }
    const yearMs = 365 * 86_400_000
    for (const [said, meant] of [
      [0, 0],
      [yearMs, yearMs],
      [yearMs + 1, yearMs],
      [1e308, yearMs],
    ])
      assert.deepEqual(presenceCodec.decode(bytesOf({ ...presence, lostNetworkMs: said })), {
        ...presence,
        lostNetworkMs: meant,
      })
  })

  it('takes a prober that another release limits in a way that is not known here for one without limits', () => {
    const presence = { location: 'here', prober: 'p', isLeaving: false }
    assert.deepEqual(presenceCodec.decode(bytesOf({ ...presence, only: 'browser' })), { ...presence, only: 'browser' })
    const { only } = presenceCodec.decode(bytesOf({ ...presence, only: 'planets' }))
    assert.equal(only, undefined)
  })

  it('leaves out evidence that is nested more deeply than can be written, and keeps its result', () => {
    const deep = JSON.stringify(testEvidence({ details: { deep: '@' } })).replace(
      '"@"',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    )
    const tuple = `[["m",1,2,"a",1,500,1,"x",[null,null,null,null,null],{},null,${deep}]]`
    const [read] = decodeResults(new TextEncoder().encode(tuple))
    assert.deepEqual([read?.evidence, read?.verdict?.error], [undefined, 'x'])
  })

  describe('beside a newer release', () => {
    it('passes over what that has added to presences, changes and configurations', () => {
      const presence = { location: 'here', prober: 'p', isLeaving: false }
      assert.deepEqual(presenceCodec.decode(bytesOf({ ...presence, load: 0.5 })), presence)
      const change = { monitorId: 'a', partition: 3 }
      assert.deepEqual(changeCodec.decode(bytesOf({ ...change, reason: 'paused' })), change)
      const [added] = configurationsCodec.decode(bytesOf([{ ...configuration, priority: 1 }]))
      assert.deepEqual(added, configuration)
    })

    it('passes over what that has added to results and orders', () => {
      const seen = { status: 'up', statusCode: 200, latencyMs: 5, error: null, phases: noPhases, details: {} } as const
      const told = { monitorId: 'a', version: 1, round: 2, location: 'here', verdict: seen }
      const [first = new Uint8Array()] = encodeResults([told])
      const tuples: unknown = JSON.parse(new TextDecoder().decode(first))
      assert.ok(Array.isArray(tuples) && Array.isArray(tuples[0]))
      assert.deepEqual(decodeResults(bytesOf([[...tuples[0], null, { hops: 3 }]])), [told])
      const order = { monitorId: 'a', version: 1, round: 2 }
      assert.deepEqual(decodeAssignments(bytesOf([['a', 1, 2, { priority: 1 }]])), [order])
    })

    it('leaves out monitors of a kind that it does not know, and no others', () => {
      const newer = { ...configuration, monitorId: 'b', kind: 'teleport' }
      assert.deepEqual(configurationsCodec.decode(bytesOf([newer, configuration])), [configuration])
    })
  })

  it('refuses anything else with its own error and no other', () => {
    const decoders = [
      decodeResults,
      decodeAssignments,
      presenceCodec.decode,
      changeCodec.decode,
      idsCodec.decode,
      configurationsCodec.decode,
    ]
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json({ maxDepth: 4 }).map((value) => new TextEncoder().encode(value)),
      fc
        .array(fc.array(fc.jsonValue(), { maxLength: 11 }))
        .map((value) => new TextEncoder().encode(JSON.stringify(value))),
    )
    fc.assert(
      fc.property(bytes, fc.constantFrom(...decoders), (message, decode) => {
        try {
          decode(message)
        } catch (error) {
          assert.ok(error instanceof CodecError, String(error))
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

type Side<T> = { encoded: Uint8Array; decode: (bytes: Uint8Array) => T; value: T }

function side<T>(encode: (value: T) => Uint8Array, decode: (bytes: Uint8Array) => T, value: T): Side<T> {
  return { encoded: encode(value), decode, value }
}

function firstOf<T>(encode: (list: T) => Uint8Array[]): (list: T) => Uint8Array {
  return (list) => encode(list)[0] ?? new Uint8Array()
}

/** How many results each message has. */
function countsOf(results: Result[]): number[] {
  return encodeResults(results).map((message) => decodeResults(message).length)
}

describe('a route on the bus', () => {
  const taken = { monitorId: '9fb69823-eecf-4b04-81a4-fc97a5730895', isFailure: true, agoMs: 12, route: testRoute() }

  it('comes as it was sent, without members of another release', () => {
    assert.deepEqual(takenRouteCodec.decode(takenRouteCodec.encode(taken)), taken)
    const { route } = taken
    const later = {
      ...taken,
      later: 1,
      route: { ...route, later: 1, hops: route.hops.map((hop) => Object.assign({ later: 1 }, hop)) },
    }
    assert.deepEqual(takenRouteCodec.decode(bytesOf(later)), taken)
  })

  it('waited for an hour at most', () => {
    assert.equal(takenRouteCodec.decode(bytesOf({ ...taken, agoMs: 1e300 })).agoMs, 3_600_000)
  })

  const hostile: [what: string, value: unknown][] = [
    ['nothing', null],
    ['a list', [taken]],
    ['a time to come', { ...taken, agoMs: -1 }],
    ['a long id', { ...taken, monitorId: 'x'.repeat(65) }],
    ['no route', { ...taken, route: null }],
    ['another end', { ...taken, route: { ...taken.route, end: 'lost' } }],
    [
      'too many hops',
      { ...taken, route: { ...taken.route, hops: Array.from({ length: 31 }, () => taken.route.hops[0]) } },
    ],
    ['a long address', { ...taken, route: { ...taken.route, address: 'x'.repeat(46) } }],
    ['a hop of no number', { ...taken, route: { ...taken.route, hops: [{ ...taken.route.hops[0], ttl: 0 }] } }],
    ['an endless time', { ...taken, route: { ...taken.route, hops: [{ ...taken.route.hops[0], best_ms: 1e300 }] } }],
  ]
  for (const [what, value] of hostile)
    it(`is refused where it has ${what}`, () => assert.throws(() => takenRouteCodec.decode(bytesOf(value)), CodecError))
})
