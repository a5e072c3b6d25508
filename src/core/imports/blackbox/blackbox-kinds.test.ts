import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { blackboxSettings } from './blackbox-kinds.ts'
import { moduleSchema } from './blackbox-rows.ts'

/** Notes of the target stand at `t`, those of its module at `m`. */
function settingsOf(module: object, target: string) {
  const findings = createFindings()
  const settings = blackboxSettings(target, {
    module: moduleSchema.parse(module),
    where: { place: 't', findings },
    notes: { place: 'm', findings },
  })
  return { settings, notes: findings.file().notes.map(({ effect, place }) => `${effect} ${place}`) }
}

type Case = [what: string, target: string, module: object, settings: object | null, notes?: string[]]

function play(prober: string | null, cases: readonly Case[]): void {
  for (const [what, target, module, settings, notes = []] of cases)
    it(what, () => assert.deepEqual(settingsOf({ prober, ...module }, target), { settings, notes }))
}

const ping = (url: string): object => ({ kind: 'ping', url, check_options: { packets: 1 } })

describe('a probe of blackbox_exporter', () => {
  const settings = { kind: 'http', method: 'GET', expected_status_min: 200, expected_status_max: 299 }
  const web = { ...settings, url: 'http://a.example', check_options: { http2: true } }
  play('http', [['of the web needs no settings', 'a.example', {}, web]])
  play('sip', [['that no kind does is lost', 'a.example:1', {}, null, ['lost t']]])
  play('grpc', [
    ['of calls', 'a.example:50051', {}, { kind: 'grpc', url: 'grpc://a.example:50051' }, ['changed t']],
    [
      'of calls of a service',
      '[2001:db8::1]:443',
      { grpc: { service: 'shop.Orders', tls: true } },
      { kind: 'grpc', url: 'grpcs://[2001:db8::1]:443', check_options: { service: 'shop.Orders' } },
    ],
    [
      'of calls with any certificate',
      'a.example:443',
      { grpc: { service: '', tls: true, tls_config: { insecure_skip_verify: true } } },
      { kind: 'grpc', url: 'grpcs://a.example:443', check_options: { accept_any_certificate: true } },
    ],
    ['of calls without a port is lost', 'a.example', {}, null, ['lost t']],
  ])
  play(null, [['of no kind is lost', 'a.example:1', {}, null, ['lost t']]])

  play('icmp', [
    ['of a host', 'a.example', {}, ping('a.example')],
    ['of a host with a port', 'a.example:80', {}, ping('a.example')],
    ['of an IPv6 address', '2001:db8::1', {}, ping('2001:db8::1')],
    ['of no host is lost', 'a b', {}, null, ['lost t']],
  ])
})

const tcp = { kind: 'tcp', url: 'a.example:9' }
const dialogue = (...lines: object[]): object => ({ tcp: { query_response: lines } })
const secure = (...lines: object[]): object => ({ tcp: { tls: true, query_response: lines } })
const noDialogue = ['lost m.tcp.query_response']

const mail = (kind: string, port: number, security: string): object => ({
  kind,
  url: `a.example:${port}`,
  check_options: { security },
})
const ssl = (port: number): object => ({ kind: 'ssl', url: `a.example:${port}`, check_options: { warn_days: 1 } })

describe('a connection of blackbox_exporter', () => {
  const greeted = (expected_text: string): object => ({ ...tcp, check_options: { expected_text } })
  const starting = dialogue({ expect: '^220' }, { send: 'STARTTLS' }, { starttls: true })
  const begun: [kind: string, port: number][] = [
    ['smtp', 25],
    ['smtp', 587],
    ['imap', 143],
    ['pop', 110],
  ]
  const begins: Case[] = begun.map(([kind, port]) => [
    `begins TLS with ${kind}`,
    `a.example:${port}`,
    starting,
    mail(kind, port, 'starttls'),
  ])
  const wrapped: [kind: string, port: number][] = [
    ['smtp', 465],
    ['imap', 993],
    ['pop', 995],
  ]
  const has: Case[] = wrapped.map(([kind, port]) => [
    `has TLS with ${kind}`,
    `a.example:${port}`,
    secure({ expect: 'a' }),
    mail(kind, port, 'tls'),
  ])
  play('tcp', [
    ['is one', tcp.url, {}, tcp],
    ['needs a port', 'a.example', {}, null, ['lost t']],
    ...begins,
    ...has,
    ['has a certificate, also at a port of mail', 'a.example:465', secure(), ssl(465)],
    ['has a certificate', tcp.url, secure(), ssl(9)],
    ['has a certificate, and no dialogue', tcp.url, secure({ expect: 'a' }), ssl(9), noDialogue],
    [
      'checks its certificate',
      tcp.url,
      { tcp: { tls: true, tls_config: { insecure_skip_verify: true } } },
      ssl(9),
      ['changed m.tcp.tls_config'],
    ],
    ['checks it there as well', tcp.url, { tcp: { tls: true, tls_config: { insecure_skip_verify: false } } }, ssl(9)],
    ['begins no TLS elsewhere', tcp.url, dialogue({ starttls: true }), tcp, noDialogue],
    ['begins no TLS behind a greeting', tcp.url, starting, greeted('220')],
    ['is greeted', tcp.url, dialogue({ expect: '^SSH-2.0-' }), greeted('SSH-2.0-')],
    ['is greeted before it says something', tcp.url, dialogue({ expect: '220' }, { send: 'QUIT' }), greeted('220')],
    ['is greeted by 256 characters', tcp.url, dialogue({ expect: 'a'.repeat(256) }), greeted('a'.repeat(256))],
    ['is not greeted by more', tcp.url, dialogue({ expect: 'a'.repeat(257) }), tcp, noDialogue],
    ['is not greeted by an expression', tcp.url, dialogue({ expect: 'a|b' }), tcp, noDialogue],
    ['is not greeted by an answer', tcp.url, dialogue({ send: 'a', expect: 'b' }), tcp, noDialogue],
    ['is not greeted before TLS', tcp.url, dialogue({ starttls: true, expect: 'b' }), tcp, noDialogue],
    ['is not greeted twice', tcp.url, dialogue({ expect: 'a' }, { expect: 'b' }), tcp, noDialogue],
  ])
})

describe('a record of blackbox_exporter', () => {
  const asked = { query_name: 'a.example.', query_type: 'aaaa' }
  const dns = { kind: 'dns', url: 'a.example', check_options: { record_type: 'AAAA', resolver: '192.0.2.1' } }
  const ofLocation = { ...dns, check_options: { record_type: 'AAAA' } }
  const rule = { fail_if_matches_regexp: ['a'] }
  play('dns', [
    ['is one', '192.0.2.1', { dns: asked }, dns],
    ['is asked of the location where its server has a name', 'dns.example', { dns: asked }, ofLocation, ['changed t']],
    ['needs a name', '192.0.2.1', { dns: { query_type: 'A' } }, null, ['lost t']],
    ['needs a type', '192.0.2.1', { dns: { query_name: 'a.example' } }, null, ['lost t']],
    ['needs both', '192.0.2.1', {}, null, ['lost t']],
    ['may be missing', '192.0.2.1', { dns: { ...asked, valid_rcodes: ['NXDOMAIN'] } }, dns, ['lost m.dns']],
    ['is there', '192.0.2.1', { dns: { ...asked, valid_rcodes: ['NOERROR'] } }, dns],
    ...['validate_answer_rrs', 'validate_authority_rrs', 'validate_additional_rrs'].flatMap((name): Case[] => [
      [`has no ${name}`, '192.0.2.1', { dns: { ...asked, [name]: rule } }, dns, ['lost m.dns']],
      [`has an empty ${name}`, '192.0.2.1', { dns: { ...asked, [name]: null } }, dns],
    ]),
  ])
})
