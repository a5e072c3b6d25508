import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { webAddress } from '../../../test/support/web-addresses.ts'
import { parseRdapDomain, parseRdapServers, rdapServerFor } from './rdap.ts'

describe('the list of RDAP servers', () => {
  const servers = parseRdapServers(
    JSON.stringify({
      description: 'RDAP bootstrap file for Domain Name System registrations',
      publication: '2026-11-20T19:00:02Z',
      services: [
        [
          ['com', 'NET'],
          ['http://rdap.registry.example/v1', 'https://rdap.registry.example/v1'],
        ],
        [['uk'], ['https://rdap.uk.example/']],
        [['co.uk'], ['https://rdap.co.uk.example//']],
        [['xn--p1ai'], ['http://rdap.xn--p1ai.example/']],
        [['bad'], ['ftp://rdap.example/', 'rdap.example', 'https://']],
        [['none'], []],
      ],
      version: '1.0',
    }),
  )
  const cases: [string, string | null][] = [
    ['example.com', 'https://rdap.registry.example/v1/'],
    ['example.net', 'https://rdap.registry.example/v1/'],
    ['example.uk', 'https://rdap.uk.example/'],
    ['example.org.uk', 'https://rdap.uk.example/'],
    ['example.co.uk', 'https://rdap.co.uk.example/'],
    ['xn--e1afmkfd.xn--p1ai', 'http://rdap.xn--p1ai.example/'],
    ['co.uk', 'https://rdap.uk.example/'],
    ['example.bad', null],
    ['example.none', null],
    ['example.test', null],
    ['com', null],
    ['', null],
  ]
  for (const [domain, expected] of cases)
    it(`sends ${domain} to ${expected}`, () => assert.equal(rdapServerFor(domain, servers ?? new Map()), expected))

  for (const text of [
    '',
    '{}',
    '[]',
    'null',
    '{"services":1}',
    '{"services":[["com","https://x"]]}',
    '{"services":[[["com"]]]}',
  ])
    it(`is refused as ${text}`, () => assert.equal(parseRdapServers(text), null))

  it('is refused when it is endless', () => {
    const services = Array.from({ length: 10_001 }, () => [[], []])
    assert.equal(parseRdapServers(JSON.stringify({ services })), null)
  })

  it('never fails', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseRdapServers(text)))
    const services = fc.array(fc.array(fc.array(webAddress, { maxLength: 3 }), { maxLength: 3 }))
    fc.assert(fc.property(services, (list) => void parseRdapServers(JSON.stringify({ services: list }))))
  })
})

describe('a domain in RDAP', () => {
  const answer = {
    objectClassName: 'domain',
    handle: '2336799_DOMAIN_COM-VRSN',
    ldhName: 'EXAMPLE.COM',
    status: ['client delete prohibited', 'clientHold', 7],
    entities: [
      { objectClassName: 'entity', roles: ['technical'], vcardArray: ['vcard', [['fn', {}, 'text', 'Someone']]] },
      {
        objectClassName: 'entity',
        handle: '376',
        roles: ['registrar'],
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Example  Registrar, Inc.'],
          ],
        ],
      },
    ],
    events: [
      { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
      { eventAction: 'registrar expiration', eventDate: '2028-08-13T04:00:00Z' },
      { eventAction: 'expiration', eventDate: '2027-08-13T04:00:00Z' },
      { eventAction: 'last update of RDAP database', eventDate: '2026-11-21T04:00:00Z' },
    ],
    rdapConformance: ['rdap_level_0'],
  }

  it('has an end, a registrar and statuses', () => {
    assert.deepEqual(parseRdapDomain(JSON.stringify(answer)), {
      isRegistered: true,
      expiresAt: '2027-08-13T04:00:00.000Z',
      registrar: 'Example Registrar, Inc.',
      statuses: ['client delete prohibited', 'client hold'],
    })
  })

  const bare = { isRegistered: true, expiresAt: null, registrar: null, statuses: [] }
  const bent: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['nothing but its class', { objectClassName: 'domain' }, {}],
    ['members of wrong types', { objectClassName: 'domain', events: {}, entities: 'x', status: null }, {}],
    [
      'only the end that its registrar knows',
      { ...answer, events: answer.events.slice(0, 2), entities: [], status: [] },
      { expiresAt: '2028-08-13T04:00:00.000Z' },
    ],
    [
      'an end that is no date',
      { objectClassName: 'domain', events: [{ eventAction: 'expiration', eventDate: 'soon' }] },
      {},
    ],
    [
      'an end with an offset',
      { objectClassName: 'domain', events: [{ eventAction: 'Expiration', eventDate: '2027-08-13T06:00:00+02:00' }] },
      { expiresAt: '2027-08-13T04:00:00.000Z' },
    ],
    [
      'a registrar without a card',
      { objectClassName: 'domain', entities: [{ roles: ['registrar'], handle: 'R-1' }] },
      { registrar: 'R-1' },
    ],
    [
      'a registrar with an odd card',
      {
        objectClassName: 'domain',
        entities: [{ roles: ['registrar'], vcardArray: ['vcard', [[], null, ['fn', {}, 'text', 5]]] }],
      },
      {},
    ],
  ]
  for (const [what, text, expected] of bent)
    it(`is read with ${what}`, () => assert.deepEqual(parseRdapDomain(JSON.stringify(text)), { ...bare, ...expected }))

  for (const text of [
    '',
    'null',
    '[]',
    '<html>',
    '{}',
    '{"objectClassName":"entity"}',
    '{"errorCode":404,"title":"Not Found"}',
  ])
    it(`is not ${text}`, () => assert.equal(parseRdapDomain(text), null))

  it('is read without failing whatever its members are', () => {
    const anything = fc.jsonValue()
    const members = fc.record({ events: anything, entities: anything, status: anything })
    fc.assert(
      fc.property(members, (given) =>
        assert.ok(parseRdapDomain(JSON.stringify({ objectClassName: 'domain', ...given }))),
      ),
    )
  })
})
