import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { kindNames } from './kind-traits.ts'
import {
  type MonitorSettings,
  changeEffect,
  monitorChangeSchema,
  monitorInputSchema,
  monitorSchema,
  partialChangeSchema,
} from './monitor.ts'
import { testSettings } from '../../../test/support/settings.ts'

const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`X-${index}`, 'a']))
const quietHours = { time_zone: 'Europe/Sofia', from: '22:00', to: '07:00' }
const id = '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'

const accepted: [field: string, ...values: unknown[]][] = [
  ['name', 'x', 'x'.repeat(160), '😀'.repeat(160), ' '],
  ['kind', ...kindNames],
  ['url', null, '', 'x'.repeat(2048)],
  ['method', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  ['interval_seconds', 10, 86_400],
  ['timeout_ms', 500, 60_000],
  ['locations', ['a'], Array.from({ length: 10 }, (_, index) => `l${index}`)],
  ['expected_status_min', 100, 599],
  ['expected_status_max', 100, 599],
  ['expected_statuses', null, ['200'], ['200-299', '401'], Array.from({ length: 20 }, () => '100-599')],
  ['keyword', null, '', 'x'.repeat(2000)],
  [
    'request_headers',
    null,
    {},
    { 'X-Key': 'a\tb \u00e9' },
    { accept: '' },
    { ['a'.repeat(256)]: 'v' },
    { a: 'v'.repeat(8192) },
  ],
  ['request_body', null, '', 'x'.repeat(65_536)],
  ['check_options', {}, { anything: [1, null] }],
  ['failure_threshold', 1, 10],
  ['retry_interval_seconds', 10, 86_400, null],
  ['recovery_threshold', 1, 10],
  ['alert_degraded_rounds', 1, 100, null],
  ['alert_slow_factor', 2, 20, null],
  ['alert_slow_rounds', 1, 100],
  ['confirmation_threshold', 1, 10],
  ['heartbeat_grace_seconds', null, 0, 86_400],
  ['expiry_alerts', true, false],
  ['vulnerability_alerts', true, false],
  ['vulnerability_severity', 'low', 'medium', 'high', 'critical'],
  ['charts', 'both', 'uptime', 'response'],
  ['keep_evidence', true, false],
  ['alert_channel_ids', null, [], [id], Array.from({ length: 100 }, () => id)],
  ['alert_rules', null, {}, { events: ['down', 'up'], after_minutes: 720, quiet_hours: quietHours, critical: true }],
  ['escalation_policy_id', null, id],
  ['tags', [], ['a'], ['Team Blue', 'ä'], ['x'.repeat(50)], Array.from({ length: 20 }, (_, index) => `tag ${index}`)],
  ['notes', null, '', 'Ask **Ann**.\n\n- restart it', 'x'.repeat(4000), '😀'.repeat(4000)],
  [
    'runbook_url',
    null,
    'https://wiki.example.com/shop?a=1#restart',
    'http://10.0.0.1/a',
    `https://a.b/${'x'.repeat(988)}`,
  ],
  ['depends_on', [], [id], Array.from({ length: 10 }, () => id)],
  ['billing_period', null, 'monthly', 'lifetime'],
]

const refused: [field: string, ...values: unknown[]][] = [
  ['name', '', 'x'.repeat(161), '😀'.repeat(161), 7, null],
  ['kind', 'minecraft', 'HTTP', '', null],
  ['url', 'x'.repeat(2049), 5],
  ['method', 'get', 'OPTIONS', null],
  ['interval_seconds', 9, 86_401, 60.5, '60', null],
  ['timeout_ms', 499, 60_001, '500', null],
  ['locations', [], Array.from({ length: 11 }, (_, index) => `l${index}`), 'a', [1], null],
  ['expected_status_min', 99, 600, '200', null],
  ['expected_status_max', 99, 600, 200.5, null],
  ['expected_statuses', [], ['2xx'], ['600'], ['299-200'], [200], '200', Array.from({ length: 21 }, () => '200')],
  ['keyword', 'x'.repeat(2001), 3],
  ['request_headers', { a: 'v'.repeat(8193) }, { ['a'.repeat(257)]: 'v' }],
  ['request_headers', { 'X Key': 'a' }, { 'X-Key': 1 }, { 'X-Key': 'a\nb' }, { '': 'a' }, tooMany, [], 'a'],
  ['request_body', 'x'.repeat(65_537), {}],
  ['check_options', null, [], 'a'],
  ['failure_threshold', 0, 11, '1', null],
  ['retry_interval_seconds', 9, 86_401, 10.5, '10'],
  ['recovery_threshold', 0, 11, 1.5, null],
  ['alert_degraded_rounds', 0, 101, 1.5, '3'],
  ['alert_slow_factor', 1, 21, 2.5, '3'],
  ['alert_slow_rounds', 0, 101, 1.5, null],
  ['confirmation_threshold', 0, 11, true, null],
  ['heartbeat_grace_seconds', -1, 86_401, '300'],
  ['expiry_alerts', 'true', 1, null],
  ['vulnerability_alerts', 'true', 0, null],
  ['vulnerability_severity', 'none', null],
  ['charts', 'none', null],
  ['keep_evidence', 'true', 1, null],
  ['alert_channel_ids', ['x'], Array.from({ length: 101 }, () => id), id],
  ['alert_rules', [], 'all', { events: [] }, { events: ['sunrise'] }, { after_minutes: 721 }, { after_minutes: -1 }],
  ['alert_rules', { quiet_hours: { ...quietHours, to: '22:00' } }, { quiet_hours: null }, { critical: 1 }, { a: 1 }],
  ['escalation_policy_id', '', 'none', 7],
  ['tags', null, 'a', [''], [' a'], ['a '], ['a,b'], ['a\nb'], ['x'.repeat(51)], ['a', 'A'], [7]],
  ['tags', Array.from({ length: 21 }, (_, index) => `tag ${index}`)],
  ['notes', 'x'.repeat(4001), 7, ['a']],
  ['runbook_url', '', 'wiki', 'javascript:alert(1)', 'ftp://a.b/', 'https://', 'https://u:p@a.b/', 'https://a.b/ c', 7],
  ['runbook_url', `https://a.b/${'x'.repeat(989)}`, 'https://a.b/\nhttps://c.d/'],
  ['depends_on', null, id, ['gateway'], Array.from({ length: 11 }, () => id)],
  ['billing_period', 'yearly', 1],
]

describe('MonitorInput', () => {
  for (const [field, ...values] of accepted)
    for (const value of values)
      it(`accepts ${field} ${brief(value)}`, () => {
        const parsed = monitorInputSchema.safeParse({ name: 'Shop', [field]: value })
        assert.ok(parsed.success, parsed.error?.message)
      })

  for (const [field, ...values] of refused)
    for (const value of values)
      it(`refuses ${field} ${brief(value)}`, () => {
        const parsed = monitorInputSchema.safeParse({ name: 'Shop', [field]: value })
        assert.deepEqual([...new Set(parsed.error?.issues.map(({ path }) => path[0]))], [field])
      })

  it('needs a name', () => assert.deepEqual(monitorInputSchema.safeParse({}).error?.issues[0]?.path, ['name']))

  const outputOnly = Object.keys(monitorSchema.shape).filter((field) => !(field in monitorInputSchema.shape))
  it('has 15 fields that are output only', () => assert.equal(outputOnly.length, 15))
  for (const field of [...outputOnly, 'heartbeat_url', 'nonsense', '__proto__'])
    it(`refuses the field ${field}`, () => {
      const body: unknown = JSON.parse(`{"name":"Shop","${field}":null}`)
      const [issue] = monitorInputSchema.safeParse(body).error?.issues ?? []
      assert.ok(issue?.code === 'unrecognized_keys')
      assert.deepEqual(issue.keys, [field])
    })

  it('reads the ids of contacts in either case', () =>
    assert.deepEqual(
      monitorInputSchema.parse({ name: 'Shop', alert_channel_ids: [id.toUpperCase()] }).alert_channel_ids,
      [id],
    ))

  it('documents its limits', () => {
    const document = z.toJSONSchema(monitorInputSchema)
    const name = document.properties?.['name']
    const description = 'Shown in alerts and on status pages.'
    assert.deepEqual(name, { type: 'string', minLength: 1, maxLength: 160, description })
    assert.deepEqual(document.required, ['name'])
    assert.equal(document.additionalProperties, false)
  })
})

describe('the effect of a change', () => {
  const before = testSettings()
  const cases: [effect: string, ...changes: Partial<MonitorSettings>[]][] = [
    [
      'none',
      {},
      { name: 'Another' },
      { expiry_alerts: false },
      { vulnerability_alerts: true },
      { vulnerability_severity: 'high' },
      { charts: 'uptime' },
      { alert_channel_ids: [] },
      { alert_rules: { after_minutes: 5 } },
      { request_headers: { b: '2', a: '1' } },
    ],
    [
      'settings',
      { method: 'HEAD' },
      { interval_seconds: 60 },
      { timeout_ms: 500 },
      { locations: ['b'] },
      { locations: ['a', 'b'] },
      { expected_status_min: 100 },
      { expected_status_max: 599 },
      { keyword: 'ok' },
      { request_headers: { a: '1' } },
      { request_body: '' },
      { check_options: { json_path: 'a' } },
      { secret_options: { token: 'b' } },
      { failure_threshold: 2 },
      { recovery_threshold: 1 },
      { confirmation_threshold: 2 },
      { heartbeat_grace_seconds: 5 },
      { keep_evidence: true },
    ],
    ['target', { kind: 'api' }, { url: 'https://example.org' }, { url: null }, { kind: 'tcp', name: 'Another' }],
  ]
  for (const [effect, ...changes] of cases)
    for (const change of changes)
      it(`is ${effect} for ${JSON.stringify(change)}`, () =>
        assert.equal(changeEffect(before, { ...before, ...change }), effect))
})

function brief(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text
}

it('a change names the monitor again, but for models', () => {
  const change = { interval_seconds: 60 }
  assert.equal(monitorChangeSchema.safeParse(change).success, false)
  assert.deepEqual(partialChangeSchema.parse(change), change)
})
