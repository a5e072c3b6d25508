import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explainDisagreement } from './disagreement.ts'
import type { SeenView } from './seen-groups.ts'
import type { View, ViewMember } from './view.ts'
import { testView } from '../../../test/support/views.ts'

const [frankfurt, virginia, ohio, tokyo, paris] = ['Frankfurt', 'Virginia', 'Ohio', 'Tokyo', 'Paris'] as const
const [here, there, elsewhere] = ['203.0.113.5', '198.51.100.7', '192.0.2.9'] as const

const at = (location: string, ...parts: Partial<View>[]): SeenView => ({
  location,
  view: testView(Object.assign({}, ...parts)),
})
const down: Partial<View> = { status: 'down', error: 'It failed' }
const degraded: Partial<View> = { status: 'degraded' }
const failed = (phase: string, code: string): Partial<View> => ({ ...down, failure: { phase, code } })
const led = (...resolved: string[]): Partial<View> => ({ addresses: { resolved, dialled: resolved.slice(0, 1) } })
const dialled = (resolved: string[], ...tried: string[]): Partial<View> => ({
  addresses: { resolved, dialled: tried },
})
const answers = (...list: string[]): Partial<View> => ({ answers: list })
const ends = (url: string): Partial<View> => ({ final_url: url })
const code = (status: number): Partial<View> => ({ status_code: status })
const took = (ms: number): Partial<View> => ({ latency_ms: ms })
const unmet = (assertion: string): Partial<View> => ({ ...down, failed_assertion: assertion })
const certificate = (fingerprint: string, issuer = 'Some CA', end = '2027-01-01T00:00:00.000Z'): Partial<View> => ({
  certificate: { subject: 'shop.example', issuer, not_after: end, fingerprint_sha256: fingerprint },
})

type Case = { what: string; seen: SeenView[]; sentence: string | null; differs?: ViewMember[] }

const cases: Case[] = [
  { what: 'nothing', seen: [], sentence: null },
  { what: 'one location', seen: [at(frankfurt, down)], sentence: null },
  { what: 'locations that are all up', seen: [at(frankfurt, led(here)), at(virginia, led(here))], sentence: null },
  {
    what: 'locations that are all up, and were led to different addresses',
    seen: [at(frankfurt, led(here)), at(virginia, led(there))],
    sentence: null,
    differs: ['addresses'],
  },
  {
    what: 'locations that are all down, which is no disagreement',
    seen: [at(frankfurt, down, code(500)), at(virginia, down, code(502))],
    sentence: null,
    differs: ['status_code'],
  },
  {
    what: 'a degraded one beside one that is up, which is none either',
    seen: [at(frankfurt, degraded), at(virginia)],
    sentence: null,
    differs: ['status'],
  },
  {
    what: 'different addresses',
    seen: [at(frankfurt, down, led(here)), at(virginia, led(there))],
    sentence: `Frankfurt was led to ${here}, Virginia to ${there}.`,
    differs: ['status', 'addresses'],
  },
  {
    what: 'different addresses of several locations, and one that is degraded counts as reached',
    seen: [
      at(virginia, led(there)),
      at(frankfurt, down, led(here)),
      at(paris, down, led(here)),
      at(tokyo, degraded, led(elsewhere)),
      at(ohio, led(there)),
    ],
    sentence: `Frankfurt and Paris were led to ${here}, Virginia and Ohio to ${there}, Tokyo to ${elsewhere}.`,
    differs: ['status', 'addresses'],
  },
  {
    what: 'many locations on each side, of which a few are named',
    seen: [
      at(frankfurt, down, led(here)),
      ...['A', 'B', 'C', 'D', 'E'].map((name) => at(name, led(there))),
      ...['F', 'G', 'H'].map((name, index) => at(name, led(`192.0.2.${index}`))),
    ],
    sentence: `Frankfurt was led to ${here}, A, B, C and 2 others to ${there}, F to 192.0.2.0.`,
    differs: ['status', 'addresses'],
  },
  {
    what: 'many addresses, of which two are named',
    seen: [at(frankfurt, down, led(here, elsewhere, '192.0.2.10')), at(virginia, led(there))],
    sentence: `Frankfurt was led to ${here}, ${elsewhere} and another, Virginia to ${there}.`,
    differs: ['status', 'addresses'],
  },
  {
    what: 'addresses that one that is up shares with the one that is down',
    seen: [at(frankfurt, down, led(here)), at(virginia, led(there)), at(ohio, led(here))],
    sentence: 'Nothing that was seen sets Frankfurt apart. The locations differ in the addresses.',
    differs: ['status', 'addresses'],
  },
  {
    what: 'different addresses out of the same answer',
    seen: [at(frankfurt, down, dialled([here, there], here)), at(virginia, dialled([there, here], there))],
    sentence: `Frankfurt dialled ${here}, Virginia ${there}.`,
    differs: ['status', 'addresses'],
  },
  {
    what: 'the same addresses in another order, of which both dialled one',
    seen: [
      at(frankfurt, failed('connect', 'connection_refused'), dialled([here, there], here, there)),
      at(virginia, dialled([there, here], there), took(80)),
    ],
    sentence: 'Frankfurt was refused the connection, Virginia was not.',
    differs: ['status'],
  },
  {
    what: 'one family here and the other there',
    seen: [
      at(frankfurt, failed('connect', 'timed_out'), dialled(['2001:db8::1'], '2001:db8::1')),
      at(virginia, dialled([there], there)),
    ],
    sentence: `Frankfurt dialled IPv6 alone (2001:db8::1), Virginia IPv4 alone (${there}).`,
    differs: ['status', 'addresses'],
  },
  {
    what: 'both families here and one there, which is no difference of families',
    seen: [
      at(frankfurt, down, dialled(['2001:db8::1', here], '2001:db8::1', here)),
      at(virginia, dialled([there], there)),
    ],
    sentence: `Frankfurt was led to 2001:db8::1 and ${here}, Virginia to ${there}.`,
    differs: ['status', 'addresses'],
  },
  {
    what: 'one location without an answer of DNS',
    seen: [at(frankfurt, failed('dns', 'timed_out')), at(virginia, led(there)), at(ohio, led(there))],
    sentence: `Frankfurt got no answer from DNS, Virginia and Ohio were led to ${there}.`,
    differs: ['status'],
  },
  {
    what: 'one location that was told that there is no such name',
    seen: [at(frankfurt, failed('dns', 'dns_not_found')), at(virginia, led(there))],
    sentence: `Frankfurt was told by DNS that there is no such name, Virginia was led to ${there}.`,
    differs: ['status'],
  },
  {
    what: 'one location that was told that the name has no address',
    seen: [at(frankfurt, failed('dns', 'dns_no_address')), at(virginia, led(there))],
    sentence: `Frankfurt was told by DNS that the name has no address, Virginia was led to ${there}.`,
    differs: ['status'],
  },
  {
    what: 'one location whose name servers fail, beside records',
    seen: [at(frankfurt, failed('dns', 'dns_server_failed')), at(virginia, answers(there))],
    sentence: `Frankfurt got a failure from DNS, Virginia got ${there}.`,
    differs: ['status'],
  },
  {
    what: 'one location whose name servers said nothing, beside records',
    seen: [at(frankfurt, failed('dns', 'no_answer')), at(virginia, answers(there))],
    sentence: `Frankfurt got no answer from DNS, Virginia got ${there}.`,
    differs: ['status'],
  },
  {
    what: 'two locations without an answer of DNS for different reasons',
    seen: [
      at(frankfurt, failed('dns', 'dns_not_found')),
      at(paris, failed('dns', 'timed_out')),
      at(virginia, led(there)),
    ],
    sentence: `Frankfurt and Paris got no address from DNS, Virginia was led to ${there}.`,
    differs: ['status', 'failure'],
  },
  {
    what: 'no answer of DNS, where the others have no address either',
    seen: [at(frankfurt, failed('dns', 'timed_out')), at(virginia)],
    sentence: 'Frankfurt got no answer from DNS, Virginia did.',
    differs: ['status'],
  },
  {
    what: 'different records',
    seen: [at(frankfurt, down, answers(here)), at(virginia, answers(there))],
    sentence: `Frankfurt got ${here} from DNS, Virginia ${there}.`,
    differs: ['status', 'answers'],
  },
  {
    what: 'records here and none there',
    seen: [at(frankfurt, down, answers()), at(virginia, answers(there, elsewhere))],
    sentence: `Frankfurt got no record from DNS, Virginia ${there} and ${elsewhere}.`,
    differs: ['status', 'answers'],
  },
  {
    what: 'different certificates by different issuers',
    seen: [
      at(
        frankfurt,
        failed('tls', 'certificate_expired'),
        led(here),
        certificate('AA', 'Old CA', '2026-05-04T10:00:00.000Z'),
      ),
      at(virginia, led(here), certificate('BB')),
    ],
    sentence:
      'Frankfurt was shown a certificate by Old CA that ends on 2026-05-04, Virginia one by Some CA that ends on 2027-01-01.',
    differs: ['status', 'certificate'],
  },
  {
    what: 'different certificates that look alike',
    seen: [at(frankfurt, down, certificate('AA:BB:CC:DD:EE')), at(virginia, certificate('11:22:33:44:55'))],
    sentence: 'Frankfurt was shown a certificate with the fingerprint AA:BB:CC:DD…, Virginia one with 11:22:33:44….',
    differs: ['status', 'certificate'],
  },
  {
    what: 'another end of the redirects',
    seen: [
      at(frankfurt, down, led(here), ends('https://maintenance.example/')),
      at(virginia, led(here), ends('https://shop.example/')),
    ],
    sentence: 'Frankfurt ended at https://maintenance.example/, Virginia at https://shop.example/.',
    differs: ['status', 'final_url'],
  },
  {
    what: 'another status from the same address',
    seen: [at(frankfurt, unmet('status'), led(here), code(503)), at(virginia, led(here), code(200))],
    sentence: 'Frankfurt got the status 503, Virginia 200.',
    differs: ['status', 'status_code'],
  },
  {
    what: 'addresses first, and what else differs after them',
    seen: [
      at(frankfurt, unmet('status'), led(here), code(503), { server: 'nginx' }, certificate('AA')),
      at(virginia, led(there), code(200), { server: 'Apache' }, certificate('BB')),
    ],
    sentence: `Frankfurt was led to ${here}, Virginia to ${there}. They also differ in the certificate, the status code and the server.`,
    differs: ['status', 'addresses', 'certificate', 'status_code', 'server'],
  },
  {
    what: 'time that ran out at one location while it connected',
    seen: [at(frankfurt, failed('connect', 'timed_out'), led(here)), at(virginia, led(here), took(120))],
    sentence: 'Frankfurt could not connect in time, Virginia had an answer after 120 ms.',
    differs: ['status'],
  },
  {
    what: 'time that ran out while an answer was waited for',
    seen: [
      at(frankfurt, failed('request', 'timed_out'), led(here)),
      at(virginia, led(here), took(120)),
      at(ohio, led(here), took(2_400)),
    ],
    sentence: 'Frankfurt got no answer in time, Virginia and Ohio had one after 120 to 2400 ms.',
    differs: ['status', 'latency_ms'],
  },
  {
    what: 'time that ran out, where the others have none either',
    seen: [at(frankfurt, failed('tls', 'timed_out')), at(virginia)],
    sentence: 'Frankfurt got no answer to the TLS handshake in time, Virginia did.',
    differs: ['status'],
  },
  {
    what: 'a connection that was reset at one location',
    seen: [at(frankfurt, failed('request', 'connection_reset'), led(here)), at(virginia, led(here), took(120))],
    sentence: 'The connection of Frankfurt was reset, that of Virginia was not.',
    differs: ['status'],
  },
  {
    what: 'a handshake that failed at one location, with the same certificate',
    seen: [at(frankfurt, failed('tls', 'certificate_untrusted'), certificate('AA')), at(virginia, certificate('AA'))],
    sentence: 'Frankfurt failed at the TLS handshake, Virginia did not.',
    differs: ['status'],
  },
  {
    what: 'exchanges that failed at several locations in several ways',
    seen: [
      at(frankfurt, failed('tls', 'certificate_untrusted')),
      at(paris, failed('connect', 'connection_refused')),
      at(virginia),
    ],
    sentence: 'Frankfurt and Paris could not finish the exchange, Virginia could.',
    differs: ['status', 'failure'],
  },
  {
    what: 'an exchange that broke off in a way that has no sentence of its own',
    seen: [at(frankfurt, failed('transfer', 'malformed')), at(virginia)],
    sentence: 'Frankfurt could not finish the exchange, Virginia could.',
    differs: ['status'],
  },
  {
    what: 'the same answer, of which one location did not get what is expected',
    seen: [at(frankfurt, unmet('keyword'), led(here), code(200)), at(virginia, led(here), code(200))],
    sentence: 'They saw the same; only the expectation "keyword" was not met in Frankfurt.',
    differs: ['status'],
  },
  {
    what: 'an expectation that was not met, beside another server',
    seen: [at(frankfurt, unmet('keyword'), { server: 'nginx' }), at(virginia, { server: 'Apache' })],
    sentence: 'The expectation "keyword" was not met in Frankfurt alone. They also differ in the server.',
    differs: ['status', 'server'],
  },
  {
    what: 'nothing that differs',
    seen: [at(frankfurt, down, led(here)), at(virginia, led(here))],
    sentence: 'They saw the same; only the verdict of Frankfurt differs.',
    differs: ['status'],
  },
  {
    what: 'nothing at all that could differ',
    seen: [at(frankfurt, down), at(paris, down), at(virginia)],
    sentence: 'Nothing that was seen sets Frankfurt and Paris apart.',
    differs: ['status'],
  },
  {
    what: 'nothing that differs, of two that failed',
    seen: [at(frankfurt, down, led(here)), at(paris, down, led(here)), at(virginia, led(here))],
    sentence: 'They saw the same; only the verdicts of Frankfurt and Paris differ.',
    differs: ['status'],
  },
  {
    what: 'an expectation that was not met, where nothing else was seen',
    seen: [at(frankfurt, unmet('keyword')), at(virginia)],
    sentence: 'The expectation "keyword" was not met in Frankfurt alone.',
    differs: ['status'],
  },
  {
    what: 'failures of which one alone has another address',
    seen: [at(frankfurt, down, led(here)), at(paris, down), at(virginia, led(there))],
    sentence: 'Nothing that was seen sets Frankfurt and Paris apart. The locations differ in the addresses.',
    differs: ['status', 'addresses'],
  },
]

describe('why locations disagree', () => {
  for (const { what, seen, sentence, differs = [] } of cases)
    it(`of ${what}`, () => assert.deepEqual(explainDisagreement(seen), { sentence, differs }))
})
