import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  hostOfTarget,
  type Outage,
  parentProposalSchema,
  type ProposalMonitor,
  proposalsSince,
  proposeParents,
} from './parent-proposals.ts'

const minute = 60_000
const outage = (atMinute: number, minutes = 10): Outage => ({
  startMs: atMinute * minute,
  endMs: (atMinute + minutes) * minute,
})
const shop: ProposalMonitor = {
  id: 'shop',
  name: 'Shop',
  kind: 'http',
  url: 'https://Shop.example/health',
  parentIds: [],
  certificate: { issuer: "Let's Encrypt R3", expiresAt: '2027-01-31T12:00:00.000Z' },
  addresses: [],
  outages: [],
}
const named = (name: string, of: Partial<ProposalMonitor>): ProposalMonitor => ({
  ...shop,
  id: name.toLowerCase(),
  name,
  url: 'https://other.example/',
  certificate: null,
  addresses: [],
  ...of,
})
const proposed = (of: ProposalMonitor, ...others: ProposalMonitor[]) =>
  proposeParents(of, [of, ...others]).map(({ id, evidence }) => [id, evidence.map(({ type }) => type).join()])
const ping = named('Ping', { kind: 'ping', url: 'shop.example' })
const shopAt = (...addresses: string[]): ProposalMonitor => ({
  ...shop,
  addresses: addresses.map((address) => ({ location: 'amsterdam', address })),
})
const machine = (address: string, location = 'amsterdam'): ProposalMonitor =>
  named('Machine', { kind: 'ping', url: 'machine.example', addresses: [{ location, address }] })
const found = [['machine', 'address']]
const fourTimes = { ...shop, outages: [outage(10), outage(100), outage(1000), outage(5000)] }

describe('proposals of what a monitor depends on', () => {
  const cases: [what: string, given: [ProposalMonitor, ...ProposalMonitor[]], expected: string[][]][] = [
    ['are none where nothing is known', [shop, named('Blog', {})], []],
    ['are what asks less of the same host', [shop, ping], [['ping', 'host']]],
    ['are not what asks more of it', [ping, shop], []],
    ['are not what asks the same of it', [shop, named('Twin', { url: shop.url })], []],
    ['are what asks less and was reached at the same address', [shopAt('203.0.113.7'), machine('203.0.113.7')], found],
    ['are so from wherever it was reached', [shopAt('203.0.113.7'), machine('203.0.113.7', 'boston')], found],
    [
      'are so for one address of several',
      [shopAt('203.0.113.8', '2001:db8::7'), machine('2001:db8::7', 'boston')],
      found,
    ],
    ['are not what was reached at another one', [shopAt('203.0.113.7'), machine('203.0.113.8')], []],
    ['are what one location reached at a private address', [shopAt('10.0.0.7'), machine('10.0.0.7')], found],
    ['are not what another location reached there', [shopAt('10.0.0.7'), machine('10.0.0.7', 'boston')], []],
    [
      'are not what asks the same at the same address',
      [shopAt('203.0.113.7'), named('Twin', { addresses: shopAt('203.0.113.7').addresses })],
      [],
    ],
    [
      'name the host alone where that is the same, too',
      [shopAt('203.0.113.7'), { ...ping, addresses: shopAt('203.0.113.7').addresses }],
      [['ping', 'host']],
    ],
    [
      'are of equals first what asks less',
      [
        shopAt('203.0.113.7'),
        { ...machine('203.0.113.7'), id: 'port', name: 'A port', kind: 'tcp' },
        machine('203.0.113.7'),
      ],
      [...found, ['port', 'address']],
    ],
    [
      'are what asks less and shows the same certificate',
      [shop, named('Port', { kind: 'ssl', url: 'www.example:443', certificate: shop.certificate })],
      [['port', 'certificate']],
    ],
    [
      'are what went down before, most times',
      [fourTimes, named('Gateway', { outages: [outage(9), outage(99), outage(999)] })],
      [['gateway', 'outages']],
    ],
    [
      'are not what went down afterwards',
      [fourTimes, named('Gateway', { outages: [outage(11), outage(101), outage(1001)] })],
      [],
    ],
    ['are not what went down with it once', [fourTimes, named('Gateway', { outages: [outage(9)] })], []],
    [
      'are not what is down most of the time for other reasons',
      [fourTimes, named('Gateway', { outages: [9, 99, 200, 300, 400].map((at) => outage(at)) })],
      [],
    ],
    [
      'are not what was down three minutes before',
      [fourTimes, named('Gateway', { outages: [outage(6, 1), outage(96, 1), outage(996, 1)] })],
      [],
    ],
    [
      'are what was up again two minutes before, to the millisecond',
      [fourTimes, named('Gateway', { outages: [outage(6, 2), outage(96, 2), outage(996, 2)] })],
      [['gateway', 'outages']],
    ],
    [
      'are not what always went down at the same moment',
      [fourTimes, named('Gateway', { outages: [outage(10), outage(100)] })],
      [],
    ],
    [
      'are what went down before, half of the times that it did',
      [fourTimes, named('Gateway', { outages: [9, 99, 2000, 3000].map((at) => outage(at)) })],
      [['gateway', 'outages']],
    ],
    [
      'are what asks less and went down two minutes later, to the millisecond, no more often than before',
      [fourTimes, named('Gateway', { kind: 'ping', outages: [outage(9), outage(102)] })],
      [['gateway', 'outages']],
    ],
    [
      'are not what shows another certificate of the same issuer',
      [
        shop,
        named('Port', {
          kind: 'ssl',
          certificate: { issuer: "Let's Encrypt R3", expiresAt: '2027-02-01T12:00:00.000Z' },
        }),
      ],
      [],
    ],
    [
      'are of equals in the order of their names, then of their ids',
      [shop, { ...ping, id: 'a', name: 'Q' }, { ...ping, id: 'z' }, { ...ping, id: 'b' }],
      [
        ['b', 'host'],
        ['z', 'host'],
        ['a', 'host'],
      ],
    ],
    [
      'are weighed by the share of outages, which is less than a second sign',
      [
        fourTimes,
        named('Gateway', { outages: [outage(9), outage(99)] }),
        ping,
        named('Port', { kind: 'ssl', url: 'shop.example:443', certificate: shop.certificate }),
      ],
      [
        ['port', 'host,certificate'],
        ['gateway', 'outages'],
        ['ping', 'host'],
      ],
    ],
    ['are not what it depends on already', [{ ...shop, parentIds: ['ping'] }, ping], []],
    [
      'are not what depends on it',
      [shop, named('Relay', { parentIds: ['shop'] }), { ...ping, parentIds: ['relay'] }],
      [],
    ],
    [
      'are first what more speaks for',
      [
        { ...shop, outages: fourTimes.outages },
        { ...ping, outages: [outage(10), outage(100)] },
        named('Port', { kind: 'tcp', url: 'shop.example:443' }),
      ],
      [
        ['ping', 'host,outages'],
        ['port', 'host'],
      ],
    ],
  ]
  for (const [what, [of, ...others], expected] of cases)
    it(what, () => assert.deepEqual(proposed(of, ...others), expected))

  it('say in words what speaks for them, and are ten at most', () => {
    const gateway = named('Gateway', { outages: [outage(9), outage(99), outage(999)] })
    assert.deepEqual(proposeParents(fourTimes, [gateway])[0]?.evidence, [
      {
        type: 'outages',
        message: '3 of its 4 outages of the last 90 days began while Gateway was down, or within 2 minutes of that.',
        together: 3,
        total: 4,
      },
    ])
    assert.deepEqual(proposeParents(shopAt('2001:db8::7'), [machine('2001:db8::7')])[0]?.evidence, [
      { type: 'address', message: 'Both were reached at 2001:db8::7.', address: '2001:db8::7' },
    ])
    const port = named('Port', { kind: 'ssl', certificate: shop.certificate })
    const message = "Both see a certificate by Let's Encrypt R3 that expires on 2027-01-31."
    assert.equal(proposeParents(shop, [port])[0]?.evidence[0]?.message, message)
    const many = Array.from({ length: 12 }, (_, place) => ({ ...ping, id: `ping${place}` }))
    assert.equal(proposeParents(shop, many).length, 10)
  })

  it('have one sign at least', () => {
    const proposal = { id: '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10', name: 'Ping', kind: 'ping' }
    const sign = { type: 'host', message: 'Both check shop.example.', host: 'shop.example' }
    assert.equal(parentProposalSchema.safeParse({ ...proposal, evidence: [sign] }).success, true)
    assert.equal(parentProposalSchema.safeParse({ ...proposal, evidence: [] }).success, false)
  })

  it('are made of 90 days', () => {
    assert.deepEqual(proposalsSince(new Date('2026-11-21T12:00:00Z')), new Date('2026-08-23T12:00:00Z'))
  })

  it('know the hosts of targets', () => {
    for (const [url, host] of [
      ['https://Shop.example:8443/a?b', 'shop.example'],
      ['shop.example:443', 'shop.example'],
      ['192.0.2.7', '192.0.2.7'],
      ['not a target', null],
      [null, null],
    ] as const)
      assert.equal(hostOfTarget(url), host)
  })
})
