import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { readWhois, whoisReferral } from './whois-text.ts'

const smallPrint = `
% Use of this service is limited. If no match is returned, the domain may still be reserved.
>>> Last update of WHOIS database: 2026-11-20T10:00:00Z <<<
NOTICE: Access to the data is provided to assist persons in determining the contents of a record.
TERMS OF USE: You are not authorized to access or query our database by automatic means.
`

type Told = { domain: string; text: string; expires: string | null; registrar: string | null; statuses: string[] }
const registered: Record<string, Told> = {
  'a gTLD registry': {
    domain: 'example.com',
    text: `   Domain Name: EXAMPLE.COM
   Registry Domain ID: 2336799_DOMAIN_COM-VRSN
   Registrar WHOIS Server: whois.registrar.example
   Registrar URL: http://registrar.example
   Updated Date: 2026-08-14T07:01:38Z
   Creation Date: 1995-08-14T04:00:00Z
   Registry Expiry Date: 2027-08-13T04:00:00Z
   Registrar: Example Registrar, Inc.
   Registrar IANA ID: 376
   Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited
   Domain Status: clientHold https://icann.org/epp#clientHold
   Name Server: A.IANA-SERVERS.NET
   DNSSEC: unsigned${smallPrint}`,
    expires: '2027-08-13T04:00:00.000Z',
    registrar: 'Example Registrar, Inc.',
    statuses: ['client delete prohibited', 'client hold'],
  },
  'a registrar that disagrees with its registry': {
    domain: 'example.org',
    text: `Domain Name: example.org
Registrar Registration Expiration Date: 2028-01-01T00:00:00Z
Registry Expiry Date: 2027-01-01T00:00:00Z
Registrar: R`,
    expires: '2027-01-01T00:00:00.000Z',
    registrar: 'R',
    statuses: [],
  },
  'the United Kingdom': {
    domain: 'example.co.uk',
    text: `
    Domain name:
        example.co.uk

    Registrar:
        Example Names Ltd t/a Names [Tag = NAMES]
        URL: https://names.example

    Relevant dates:
        Registered on: 26-Nov-1996
        Expiry date:  26-Nov-2027
        Last updated:  27-Oct-2026

    Registration status:
        Registered until expiry date.

    Name servers:
        ns1.example.net
${smallPrint}`,
    expires: '2027-11-26T00:00:00.000Z',
    registrar: 'Example Names Ltd t/a Names [Tag = NAMES]',
    statuses: ['registered until expiry date.'],
  },
  Japan: {
    domain: 'example.jp',
    text: `[ JPRS database provides information on network administration. Its use is    ]
Domain Information:
[Domain Name]                   EXAMPLE.JP

[Registrant]                    Example KK
[Name Server]                   ns1.example.jp
[Created on]                    2001/08/22
[Expires on]                    2027/08/31
[Status]                        Active`,
    expires: '2027-08-31T00:00:00.000Z',
    registrar: null,
    statuses: ['active'],
  },
  'a company in Japan': {
    domain: 'example.co.jp',
    text: `Domain Information:
a. [Domain Name]                EXAMPLE.CO.JP
g. [Organization]               Example KK
[State]                         Connected (2027/03/31)
[Registered Date]               1999/03/12`,
    expires: '2027-03-31T00:00:00.000Z',
    registrar: null,
    statuses: ['connected (2027/03/31)'],
  },
  Germany: {
    domain: 'example.de',
    text: `% Restricted rights.
Domain: example.de
Nserver: ns1.example.net
Status: connect
Changed: 2024-03-12T21:44:25+01:00`,
    expires: null,
    registrar: null,
    statuses: ['connect'],
  },
  'the Netherlands': {
    domain: 'example.nl',
    text: `Domain name: example.nl
Status:      active

Registrar:
   Example B.V.
   Street 1

Abuse Contact:
   abuse@example.nl
Creation Date: 1999-03-12`,
    expires: null,
    registrar: 'Example B.V.',
    statuses: ['active'],
  },
  Russia: {
    domain: 'example.ru',
    text: `domain:        EXAMPLE.RU
nserver:       ns1.example.ru.
state:         REGISTERED, DELEGATED, VERIFIED
registrar:     EXAMPLE-RU
created:       1997-09-23T09:45:07Z
paid-till:     2027-09-30T21:00:00Z
free-date:     2027-11-01
source:        TCI`,
    expires: '2027-09-30T21:00:00.000Z',
    registrar: 'EXAMPLE-RU',
    statuses: ['registered, delegated, verified'],
  },
  Finland: {
    domain: 'example.fi',
    text: `domain.............: example.fi
status.............: Registered
created............: 4.9.1999 00:00:00
expires............: 4.9.2027 10:20:30
registrar..........: Example Oy`,
    expires: '2027-09-04T10:20:30.000Z',
    registrar: 'Example Oy',
    statuses: ['registered'],
  },
  Türkiye: {
    domain: 'example.com.tr',
    text: `** Domain Name: example.com.tr
Domain Status: Active
** Registrar:
NIC Handle		: exa42
** Additional Info:
Created on..............: 1998-Nov-12.
Expires on..............: 2027-Mar-04.`,
    expires: '2027-03-04T00:00:00.000Z',
    registrar: null,
    statuses: ['active'],
  },
  Taiwan: {
    domain: 'example.com.tw',
    text: `Domain Name: example.com.tw
   Domain Status: ok
   Record expires on 2027-08-19 (YYYY-MM-DD)
   Record created on 1999-08-19 (YYYY-MM-DD)
Registration Service Provider: Example Co.`,
    expires: '2027-08-19T00:00:00.000Z',
    registrar: 'Example Co.',
    statuses: ['ok'],
  },
  Brazil: {
    domain: 'example.com.br',
    text: `domain:      example.com.br
owner:       Example S.A.
created:     19990305 #120487
expires:     20270305
status:      published`,
    expires: '2027-03-05T00:00:00.000Z',
    registrar: null,
    statuses: ['published'],
  },
  Poland: {
    domain: 'example.pl',
    text: `DOMAIN NAME:           example.pl
created:               1999.09.18 13:00:00
last modified:         2026.08.10 15:28:06
renewal date:          2027.09.18 14:00:00
no option
REGISTRAR:
Example Sp. z o.o.`,
    expires: '2027-09-18T14:00:00.000Z',
    registrar: 'Example Sp. z o.o.',
    statuses: [],
  },
  'South Korea': {
    domain: 'example.kr',
    text: `Domain Name                 : example.kr
Registered Date             : 1999. 10. 05.
Expiration Date             : 2027. 10. 05.
Authorized Agency           : Example Corp.(http://www.example.kr)`,
    expires: '2027-10-05T00:00:00.000Z',
    registrar: 'Example Corp.(http://www.example.kr)',
    statuses: [],
  },
  China: {
    domain: 'xn--fiqs8s.cn',
    text: `Domain Name: 中国.cn
Registrant: Example
Sponsoring Registrar: Example (Beijing) Ltd.
Registration Time: 2003-03-17 12:20:05
Expiration Time: 2027-03-17 12:48:36`,
    expires: '2027-03-17T12:48:36.000Z',
    registrar: 'Example (Beijing) Ltd.',
    statuses: [],
  },
  Portugal: {
    domain: 'example.pt',
    text: `Domain: example.pt
Domain Status: Registered
Creation Date: 12/10/1999 00:00:00
Expiration Date (dd/mm/yyyy): 03/04/2027 23:59:00`,
    expires: '2027-04-03T23:59:00.000Z',
    registrar: null,
    statuses: ['registered'],
  },
  'a registry with months first': {
    domain: 'example.test',
    text: 'Domain: example.test\nExpires: 03/04/2027 (MM/DD/YYYY)',
    expires: '2027-03-04T00:00:00.000Z',
    registrar: null,
    statuses: [],
  },
  'a date that cannot be read': {
    domain: 'example.test',
    text: 'Domain: example.test\nRegistrar: R\nExpires: when the year ends',
    expires: null,
    registrar: 'R',
    statuses: [],
  },
}

const unregistered = [
  'No match for "EXAMPLE.COM".',
  'No match for domain "example.test".',
  'No match!!',
  'NOT FOUND',
  'Domain not found.',
  'No Data Found',
  '%ERROR:101: no entries found',
  '%ERROR:103: Domain is not registered',
  '% No entries found for the selected source(s).',
  '% nothing found',
  '% No match for example.test',
  'Domain: example.test\nStatus: free',
  'Domain: example.test\nStatus:\tAVAILABLE',
  'example.test is free',
  'domain "example.test" not found.',
  'Domain Name [example.test] does not exist in database',
  'Domain name example.test does not exist in database!',
  'No information available about domain name example.test in the database.',
  'The queried object does not exist: example.test',
  'The domain has not been registered.',
  '    No match for "example.test".\n\n    This domain name has not been registered.\n\n    WHOIS lookup made at 10:00:00 21-Nov-2026',
  'No matching record.',
  'Object does not exist',
  'example.test: no entries found.',
  'El dominio no se encuentra registrado en NIC Argentina',
  'Above domain name is not registered to KRNIC.',
  '*** Nothing found for this query.',
  'Domain Status: No Object Found',
]

const unreadable: [string, string][] = [
  ['', 'answered nothing'],
  ['\r\n\r\n%\r\n', 'answered nothing'],
  [
    'Your connection limit exceeded. Please slow down and try again later.',
    'answered "Your connection limit exceeded. Please slow down and try again later."',
  ],
  ['% Quota exceeded\n% Try later', 'answered "Quota exceeded"'],
  ['domain:       TEST\norganisation: Example\ncreated:      1985-01-01', 'answered about TEST instead'],
  ['Domain Name: OTHER.TEST\nRegistry Expiry Date: 2027-08-13T04:00:00Z', 'answered about OTHER.TEST instead'],
  ['HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n', 'answered "HTTP/1.1 400 Bad Request"'],
  [`\u0000\u001b[2J${'x'.repeat(1000)}`, `answered "??[2J${'x'.repeat(115)}"`],
]

describe('an answer of WHOIS', () => {
  for (const [where, { domain, text, expires, registrar, statuses }] of Object.entries(registered))
    it(`is understood from ${where}`, () => {
      const registration = { isRegistered: true, expiresAt: expires, registrar, statuses }
      assert.deepEqual(readWhois(text, domain), { ok: true, registration })
      assert.deepEqual(readWhois(text.replaceAll('\n', '\r\n'), domain), { ok: true, registration })
    })

  for (const text of unregistered)
    it(`says that there is no such domain: ${JSON.stringify(text.slice(0, 60))}`, () => {
      const domain = text.includes('EXAMPLE.COM') ? 'example.com' : 'example.test'
      for (const whole of [text, `${text}\n${smallPrint}`, `% Whois server 3.2\n\n${text}\n`]) {
        const reading = readWhois(whole, domain)
        assert.equal(reading.ok && reading.registration.isRegistered, false)
        assert.equal(reading.ok, true)
      }
    })

  for (const [text, problem] of unreadable)
    it(`is not understood: ${problem.slice(0, 60)}`, () =>
      assert.deepEqual(readWhois(text, 'example.test'), { ok: false, problem }))

  it('does not take the small print for an answer', () => {
    assert.equal(readWhois(smallPrint, 'example.test').ok, false)
  })

  it('is read without failing, whatever it is, and with bounds', () => {
    const words = fc.constantFrom(
      'Domain: ',
      'Expires: ',
      '2027-01-01',
      'Status: ',
      '\n',
      ':',
      '[',
      ']',
      '%',
      'Registrar:',
      'not found',
      ' ',
      'é',
      '\u0000',
    )
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 500 }),
      fc.array(words, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const reading = readWhois(text, 'example.test')
        if (!reading.ok) return assert.ok(reading.problem.length < 200)
        const { statuses, registrar, expiresAt } = reading.registration
        assert.ok(statuses.length <= 20 && (registrar ?? '').length <= 100)
        assert.ok(expiresAt === null || !Number.isNaN(Date.parse(expiresAt)))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a referral of the root of WHOIS', () => {
  it('names a server', () => {
    assert.equal(
      whoisReferral('% IANA WHOIS server\n\nrefer:        whois.Example.net\n\ndomain: TEST'),
      'whois.example.net',
    )
    assert.equal(whoisReferral('domain: TEST\nwhois:        whois.nic.test\nstatus: ACTIVE'), 'whois.nic.test')
    assert.equal(whoisReferral('refer: 127.0.0.1:4343'), '127.0.0.1:4343')
  })
  it('is none where it names something else', () => {
    for (const text of [
      '',
      'refer:',
      'refer: 10.0.0.1/x',
      'refer: a b',
      'refer: -',
      'whois: localhost',
      'refer: a.b\0c',
    ])
      assert.equal(whoisReferral(text), null)
  })
})
