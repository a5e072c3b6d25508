import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { kumaSettings } from './kuma-kinds.ts'
import { readKumaTables } from './kuma-rows.ts'

function settingsOf(row: object) {
  const [monitor] = readKumaTables({ monitor: [{ id: 1, name: 'One', ...row }] }).monitor
  assert.ok(monitor !== undefined)
  const findings = createFindings()
  const settings = kumaSettings(monitor, { place: 'm', findings })
  return { settings, notes: findings.file().notes }
}

type Case = [what: string, row: object, settings: object | null, notes?: string[]]

function play(cases: readonly Case[]): void {
  for (const [what, row, expected, told = []] of cases)
    it(what, () => {
      const { settings, notes } = settingsOf(row)
      assert.deepEqual([settings, notes.map(({ effect, place }) => `${effect} ${place}`)], [expected, told])
    })
}

describe('a port of Uptime Kuma', () => {
  const port = { type: 'port', hostname: 'a.example', port: 80 }
  const tcp = { kind: 'tcp', url: 'a.example:80' }
  play([
    ['is a tcp monitor', port, tcp],
    ['has a port', { ...port, port: null }, null, ['lost m.port']],
    ['has a host', { ...port, hostname: null }, null, ['lost m.hostname']],
    ['has a host first', { type: 'port' }, null, ['lost m.hostname']],
    ['has a host that is one', { ...port, hostname: 'a b' }, null, ['lost m.hostname']],
    ['may expect no alert of TLS', { ...port, expected_tls_alert: 'none' }, tcp],
    ['expects none', { ...port, expected_tls_alert: 'handshake_failure' }, null, ['lost m.expected_tls_alert']],
    ['is not secured', { ...port, smtp_security: 'secure' }, tcp, ['changed m.smtp_security']],
    ['is not secured later', { ...port, smtp_security: 'starttls' }, tcp, ['changed m.smtp_security']],
    ['may say that it is not secured', { ...port, smtp_security: 'nostarttls' }, tcp],
  ])
})

const pingOf = (packets?: number): object => ({
  kind: 'ping',
  url: 'a.example',
  ...(packets === undefined ? {} : { check_options: { packets } }),
})

describe('a ping of Uptime Kuma', () => {
  const ping = { type: 'ping', hostname: 'a.example' }
  play([
    ['is a ping monitor', ping, pingOf()],
    ['has no brackets', { ...ping, hostname: '::1' }, { kind: 'ping', url: '::1' }],
    ['has a host', { type: 'ping' }, null, ['lost m.hostname']],
    ['has packets of 32 bytes', { ...ping, packet_size: 32 }, pingOf()],
    ['has packets of 33 bytes', { ...ping, packet_size: 33 }, pingOf(), ['changed m.packet_size']],
    ['has packets of 56 bytes', { ...ping, packet_size: 56 }, pingOf()],
    ['has packets of 57 bytes', { ...ping, packet_size: 57 }, pingOf(), ['changed m.packet_size']],
    ['has no packet', { ...ping, ping_count: 0 }, pingOf(1), ['changed m.ping_count']],
    ['has one packet', { ...ping, ping_count: 1 }, pingOf(1)],
    ['has two and a half', { ...ping, ping_count: 2.5 }, pingOf(3), ['changed m.ping_count']],
    ['has ten', { ...ping, ping_count: 10 }, pingOf(10)],
    ['has eleven', { ...ping, ping_count: 11 }, pingOf(10), ['changed m.ping_count']],
  ])

  it('says what it has no host for', () => {
    assert.equal(settingsOf({ type: 'ping' }).notes[0]?.message, 'It has no host that can be checked.')
    assert.equal(settingsOf({ type: 'ntp' }).notes[1]?.message, 'It has no host and port that can be checked.')
  })
})

const dns = (type: string, more: object = {}): object => ({
  kind: 'dns',
  url: 'a.example',
  check_options: { record_type: type, ...more },
})

describe('a name of Uptime Kuma', () => {
  const name = { type: 'dns', hostname: 'a.example' }
  const equality = { type: 'expression', variable: 'record', operator: 'equals', value: '192.0.2.1' }
  const expecting = (...conditions: unknown[]): object => ({ ...name, conditions: JSON.stringify(conditions) })
  const lost = ['lost m.conditions']
  play([
    ['is a dns monitor of addresses', name, dns('A')],
    ['has a type in any case', { ...name, dns_resolve_type: 'mx' }, dns('MX')],
    ['has a type that checks know', { ...name, dns_resolve_type: 'CAA' }, null, ['lost m.dns_resolve_type']],
    ['has a name', { type: 'dns' }, null, ['lost m.hostname']],
    [
      'is asked of a name server',
      { ...name, dns_resolve_server: '1.1.1.1', port: 53 },
      dns('A', { resolver: '1.1.1.1' }),
    ],
    [
      'is asked of another port',
      { ...name, dns_resolve_server: 'fd00::1', port: 5353 },
      dns('A', { resolver: '[fd00::1]:5353' }),
    ],
    [
      'is asked of the first of several',
      { ...name, dns_resolve_server: '1.1.1.1, 8.8.8.8', port: 53 },
      dns('A', { resolver: '1.1.1.1' }),
      ['changed m.dns_resolve_server'],
    ],
    [
      'is asked of those of the location where the one has a name',
      { ...name, dns_resolve_server: 'dns.example' },
      dns('A'),
      ['changed m.dns_resolve_server'],
    ],
    ['may have no condition', expecting(), dns('A')],
    ['may have something else than conditions', { ...name, conditions: '{}' }, dns('A')],
    ['expects one record', expecting(equality), dns('A', { expected_answer: '192.0.2.1' })],
    ['expects no two', expecting(equality, equality), dns('A'), lost],
    ['expects no part of a record', { ...expecting(equality), dns_resolve_type: 'MX' }, dns('MX'), lost],
    ['expects nothing of a group', expecting({ ...equality, type: 'group' }), dns('A'), lost],
    ['expects nothing of what is no record', expecting({ ...equality, variable: 'ttl' }), dns('A'), lost],
    ['expects what is equal', expecting({ ...equality, operator: 'contains' }), dns('A'), lost],
    ['expects no empty text', expecting({ ...equality, value: '' }), dns('A'), lost],
    ['expects a text', expecting({ ...equality, value: 5 }), dns('A'), lost],
    ['expects nothing of a condition that is a number', expecting(5), dns('A'), lost],
    ['expects nothing of a condition that is empty', expecting(null), dns('A'), lost],
    ['expects nothing of a condition without members', expecting({}), dns('A'), lost],
  ])
})

const smtp = (security: string): object => ({ kind: 'smtp', url: 'a.example:465', check_options: { security } })
const ntp = (maxOffsetMs: number): object => ({
  kind: 'ntp',
  url: 'a.example',
  check_options: { max_offset_ms: maxOffsetMs },
})

describe('a server of Uptime Kuma', () => {
  const mail = { type: 'smtp', hostname: 'a.example', port: 465 }
  const greeting = { expected_text: '220' }
  const game = { type: 'gamedig', hostname: 'a.example', port: 1 }
  const time = { type: 'ntp', hostname: 'a.example' }
  play([
    ['of mail is secured', { ...mail, smtp_security: 'secure' }, smtp('tls')],
    ['of mail is secured later', { ...mail, smtp_security: 'starttls' }, smtp('starttls')],
    [
      'of mail greets where it is not secured',
      { ...mail, port: null },
      { kind: 'tcp', url: 'a.example:25', check_options: greeting },
      ['changed m.smtp_security'],
    ],
    ['of time may be wrong by a second', time, ntp(1000), ['changed m']],
    ['of time may be wrong by a millisecond', { ...time, ntp_time_offset_threshold: 0 }, ntp(1), ['changed m']],
    ['of time may be wrong by a minute', { ...time, ntp_time_offset_threshold: 60_001 }, ntp(60_000), ['changed m']],
    [
      'of games has an edition',
      { ...game, game: 'minecraftpe' },
      { kind: 'game_server', url: 'a.example:1', check_options: { edition: 'bedrock' } },
    ],
    ['of games has one that checks know', { ...game, game: 'quake' }, null, ['lost m.game']],
    ['of games has a game', game, null, ['lost m.game']],
  ])
})

describe('a monitor of Uptime Kuma at Globalping', () => {
  const probe = { type: 'globalping', hostname: 'a.example', url: 'https://a.example' }
  const told = ['changed m.type']
  it('asks by HTTP', () => assert.equal(settingsOf({ ...probe, subtype: 'http' }).settings?.url, 'https://a.example'))
  play([
    [
      'asks for a name',
      { ...probe, subtype: 'dns' },
      { kind: 'dns', url: 'a.example', check_options: { record_type: 'A' } },
      told,
    ],
    ['is a ping', { ...probe, subtype: 'ping' }, { kind: 'ping', url: 'a.example' }, told],
    ['connects to port 80', { ...probe, protocol: 'TCP' }, { kind: 'tcp', url: 'a.example:80' }, told],
    ['connects to its port', { ...probe, protocol: 'TCP', port: 443 }, { kind: 'tcp', url: 'a.example:443' }, told],
  ])
})

describe('a monitor of Uptime Kuma of another type', () => {
  for (const [type, reason] of [
    ['docker', /^Checks do not support Docker\./],
    ['telepathy', /^No kind of monitor does what "telepathy" does\.$/],
    ['constructor', /^No kind of monitor does what "constructor" does\.$/],
  ] as const)
    it(`is lost: ${type}`, () => {
      const { settings, notes } = settingsOf({ type })
      assert.deepEqual([settings, notes[0]?.place], [null, 'm.type'])
      assert.match(notes[0]?.message ?? '', reason)
    })
})
