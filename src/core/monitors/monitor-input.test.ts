import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '#core/language/error.ts'
import { type InputSurroundings, type KindRules, decideSettings } from './monitor-input.ts'
import type { MonitorInput, MonitorSettings } from './monitor.ts'
import { defaultPlans } from '#core/money/plan.ts'
import { testSettings } from '../../../test/support/settings.ts'

const contact = '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'
const stranger = '6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22'

/** Options are texts; the target must not be "bad". */
const rules: KindRules = {
  secretOptions: ['api_key'],
  targetProblem: (url) => (url === 'bad' ? 'Is not a target.' : null),
  parseOptions: (options) => {
    const wrong = Object.keys(options).filter((key) => typeof options[key] !== 'string')
    return wrong.length === 0
      ? { ok: true, value: options }
      : { ok: false, fields: Object.fromEntries(wrong.map((key) => [`check_options.${key}`, ['Must be text.']])) }
  },
}
const surroundings: InputSurroundings = {
  rulesOf: () => rules,
  locationCodes: ['a', 'b', 'c'],
  hasPolicy: true,
  contactIds: [contact],
  plan: defaultPlans.free,
  billing: 'plan',
  billingPeriod: null,
}
const pro = { plan: defaultPlans.pro }
const paid = { billing: 'paid', billingPeriod: 'monthly' } as const

type Around = Partial<InputSurroundings>

function create(input: Partial<MonitorInput>, around: Around = {}): MonitorSettings {
  return decideSettings({ name: 'Shop', url: 'https://example.com', ...input }, null, { ...surroundings, ...around })
}

function change(current: Partial<MonitorSettings>, input: Partial<MonitorInput>, around: Around = {}): MonitorSettings {
  return decideSettings({ name: 'Shop', ...input }, testSettings(current), { ...surroundings, ...around })
}

function refusal(attempt: () => unknown): { code: string; fields: string[]; text: string } {
  try {
    attempt()
  } catch (error) {
    assert.ok(error instanceof AppError)
    return { code: error.code, fields: Object.keys(error.fields ?? {}), text: JSON.stringify(error.fields) }
  }
  return { code: 'accepted', fields: [], text: '' }
}

describe('creating a monitor', () => {
  it('fills in every default of the API', () =>
    assert.deepEqual(create({}), {
      ...testSettings({ request_headers: {}, url: 'https://example.com' }),
    }))

  it('keeps everything that is given', () => {
    const given = {
      name: 'API',
      kind: 'api',
      url: 'https://example.com/api',
      method: 'POST',
      interval_seconds: 600,
      timeout_ms: 500,
      locations: ['c', 'a'],
      expected_status_min: 204,
      expected_status_max: 204,
      expected_statuses: null,
      keyword: 'ok',
      request_headers: { accept: 'text/html' },
      request_body: '{}',
      check_options: { json_path: 'a.b' },
      failure_threshold: 3,
      retry_interval_seconds: 300,
      recovery_threshold: 4,
      confirmation_threshold: 2,
      alert_degraded_rounds: 4,
      alert_slow_factor: 3,
      alert_slow_rounds: 6,
      heartbeat_grace_seconds: 9,
      expiry_alerts: false,
      vulnerability_alerts: true,
      vulnerability_severity: 'critical',
      charts: 'response',
      alert_channel_ids: [contact],
      alert_channel_tags: ['ops'],
      escalation_policy_id: contact,
      depends_on: [contact],
      alert_rules: { events: ['down'], critical: true },
      allow_private_target: false,
      keep_evidence: true,
      tags: ['production'],
      notes: 'Ask **Ann**.',
      runbook_url: 'https://wiki.example.com/api',
    } as const satisfies Required<Omit<MonitorInput, 'billing_period'>>
    assert.deepEqual(
      decideSettings(
        structuredClone<MonitorInput>({ ...given, locations: ['c', 'a'], alert_channel_ids: [contact] }),
        null,
        { ...surroundings, ...pro },
      ),
      {
        ...given,
        secret_options: {},
      },
    )
  })

  const defaults: [what: string, input: Partial<MonitorInput>, around: Around, expected: Partial<MonitorSettings>][] = [
    ['one location for a group', { kind: 'group' }, {}, { locations: ['a'], url: null }],
    [
      'the location that is named for a group',
      { kind: 'group', locations: ['c'] },
      {},
      { locations: ['c'], url: null },
    ],
    ['a grace for heartbeats', { kind: 'heartbeat' }, {}, { heartbeat_grace_seconds: 300, url: null }],
    ['a grace for webhooks', { kind: 'webhook' }, {}, { heartbeat_grace_seconds: 300, url: null }],
    ['the alerts of a repository', { kind: 'repository' }, {}, { vulnerability_alerts: true }],
    [
      'the alerts of a repository that asks for none',
      { kind: 'repository', vulnerability_alerts: false },
      {},
      { vulnerability_alerts: true },
    ],
    ['all contacts for null', { alert_channel_ids: null }, {}, { alert_channel_ids: null }],
    ['no contact for an empty list', { alert_channel_ids: [] }, {}, { alert_channel_ids: [] }],
    ['one of a contact named twice', { alert_channel_ids: [contact, contact] }, {}, { alert_channel_ids: [contact] }],
    ['no keyword for an empty one', { keyword: '' }, {}, { keyword: null }],
    [
      'nothing for null',
      { keyword: null, request_headers: null, request_body: null },
      {},
      { keyword: null, request_headers: {}, request_body: null },
    ],
    [
      "a plan's longer interval",
      {},
      { plan: { ...defaultPlans.free, minIntervalSeconds: 900 } },
      { interval_seconds: 900 },
    ],
    ['300 seconds on a quick plan', {}, pro, { interval_seconds: 300 }],
    [
      'secrets apart from options',
      { check_options: { a: '1', api_key: 'k' } },
      {},
      { check_options: { a: '1' }, secret_options: { api_key: 'k' } },
    ],
    [
      'a field that its kind does not have, for null',
      { kind: 'group', url: null, heartbeat_grace_seconds: null },
      {},
      { url: null, heartbeat_grace_seconds: null },
    ],
    ['no secret for null', { check_options: { api_key: null } }, {}, { check_options: {}, secret_options: {} }],
  ]
  for (const [what, input, around, expected] of defaults)
    it(`decides ${what}`, () => assert.deepEqual({ ...create(input, around), ...expected }, create(input, around)))

  it('lets a heartbeat do without a url and ignores one', () => {
    const { url, ...input } = { name: 'Job', kind: 'heartbeat', url: 'bad' } as const
    assert.equal(decideSettings(input, null, surroundings).url, null)
    assert.equal(decideSettings({ ...input, url }, null, surroundings).url, null)
  })
})

describe('refusing an input', () => {
  const cases: [what: string, input: Partial<MonitorInput>, around: Around, fields: string[]][] = [
    ['a target that is none', { url: 'bad' }, {}, ['url']],
    ['a name of white space alone', { name: ' \t ' }, {}, ['name']],
    ['null for the target of a kind that has one', { url: null }, {}, ['url']],
    [
      'null for the grace of a heartbeat',
      { kind: 'heartbeat', heartbeat_grace_seconds: null },
      {},
      ['heartbeat_grace_seconds'],
    ],
    ['less than the free interval in a slot', { interval_seconds: 299 }, {}, ['interval_seconds']],
    ['too often a schedule', { check_options: { schedule: '*/4 * * * *' } }, {}, ['check_options.schedule']],
    ['less than the pro interval in a slot', { interval_seconds: 9 }, pro, ['interval_seconds']],
    ['less than ten seconds when paid', { interval_seconds: 9 }, paid, ['interval_seconds']],
    ['a location that is unknown', { locations: ['a', 'x'] }, {}, ['locations']],
    ['a location named twice', { locations: ['a', 'a'] }, {}, ['locations']],
    ['two locations for a heartbeat', { kind: 'heartbeat', locations: ['a', 'b'] }, {}, ['locations']],
    ['two locations for a repository', { kind: 'repository', locations: ['a', 'b'] }, {}, ['locations']],
    [
      'statuses the wrong way round',
      { expected_status_min: 300, expected_status_max: 299 },
      {},
      ['expected_status_min'],
    ],
    ['a maximum below the default minimum', { expected_status_max: 199 }, {}, ['expected_status_max']],
    [
      'a list of statuses beside another maximum',
      { expected_statuses: ['200-299', '401'], expected_status_max: 400 },
      {},
      ['expected_status_max'],
    ],
    [
      'more confirmations than locations',
      { confirmation_threshold: 3, locations: ['a', 'b'] },
      {},
      ['confirmation_threshold'],
    ],
    ['more confirmations than the default location', { confirmation_threshold: 2 }, {}, ['confirmation_threshold']],
    ['a contact of someone else', { alert_channel_ids: [contact, stranger] }, {}, ['alert_channel_ids']],
    ['a wrong option', { check_options: { steps: 4, json_path: 'a' } }, {}, ['check_options.steps']],
    ['the response time of a group', { kind: 'group', alert_slow_factor: 2 }, {}, ['alert_slow_factor']],
    [
      'vulnerability alerts of another kind',
      { kind: 'tcp', vulnerability_alerts: true },
      pro,
      ['vulnerability_alerts'],
    ],
    [
      'all that is wrong at once',
      { url: 'bad', locations: ['x'], expected_status_min: 500, check_options: { a: 1, b: 2 } },
      {},
      ['check_options.a', 'check_options.b', 'url', 'locations', 'expected_status_min'],
    ],
  ]
  for (const [what, input, around, fields] of cases)
    it(`refuses ${what}`, () => {
      const { code, fields: named } = refusal(() => create(input, around))
      assert.deepEqual([code, named], ['validation_failed', fields])
    })

  it('needs a url', () => {
    const { fields } = refusal(() => decideSettings({ name: 'Shop', kind: 'tcp' }, null, surroundings))
    assert.deepEqual(fields, ['url'])
  })

  it('names the locations there are', () =>
    assert.match(refusal(() => create({ locations: ['x'] })).text, /Unknown: x\. Known are a, b, c\./))

  const edges: [interval: number, around: Around][] = [
    [300, {}],
    [86_400, {}],
    [10, pro],
    [10, paid],
    [10, { ...pro, ...paid }],
  ]
  for (const [interval, around] of edges)
    it(`accepts an interval of ${interval} with ${JSON.stringify(Object.keys(around))}`, () =>
      assert.equal(create({ interval_seconds: interval }, around).interval_seconds, interval))

  it('refuses vulnerability alerts on a plan without them by a code of its own', () => {
    for (const kind of ['http', 'api'] as const)
      assert.deepEqual(refusal(() => create({ kind, vulnerability_alerts: true })).code, 'plan_required')
    assert.deepEqual(refusal(() => create({ kind: 'repository', vulnerability_alerts: true })).code, 'accepted')
    assert.deepEqual(refusal(() => create({ vulnerability_alerts: true }, pro)).code, 'accepted')
  })

  const privateRepository = { kind: 'repository', check_options: { token: 't' } } as const
  const privates: [where: string, around: Around, code: string][] = [
    ['a slot of the free plan', {}, 'plan_required'],
    ['a slot of the pro plan', pro, 'accepted'],
    ['a paid monitor on the free plan', paid, 'accepted'],
    ['a paid monitor without slots', { ...paid, plan: defaultPlans.pay_as_you_go }, 'accepted'],
  ]
  for (const [where, around, code] of privates)
    it(`a private repository is ${code} in ${where}`, () => {
      const told = refusal(() => create(privateRepository, around))
      assert.deepEqual([told.code, told.fields], [code, code === 'accepted' ? [] : ['check_options.token']])
    })

  it('a token means nothing of the kind elsewhere', () =>
    assert.equal(refusal(() => create({ kind: 'api', check_options: { token: 't' } })).code, 'accepted'))
})

describe('changing a monitor', () => {
  it('keeps everything that is left out, also what would be refused today', () => {
    const current = testSettings({
      interval_seconds: 10,
      locations: ['gone', 'b'],
      url: 'bad',
      keyword: 'ok',
      request_body: 'x',
      check_options: { a: '1' },
      secret_options: { api_key: 'k' },
      confirmation_threshold: 2,
      vulnerability_alerts: true,
      alert_channel_ids: [stranger],
      charts: 'uptime',
    })
    assert.deepEqual(decideSettings({ name: 'Renamed' }, current, surroundings), { ...current, name: 'Renamed' })
  })

  it('asks for a plan where a private repository is new, and lets one be that is there already', () => {
    const held = { kind: 'repository', check_options: { token: 't' } } as const
    const inputs: [current: Partial<MonitorSettings>, input: Partial<MonitorInput>, code: string][] = [
      [{ kind: 'repository' }, { check_options: { token: 't' } }, 'plan_required'],
      [{}, held, 'plan_required'],
      [held, { check_options: { token: 'u' } }, 'plan_required'],
      [held, { url: 'https://example.com/other' }, 'accepted'],
      [held, { check_options: {} }, 'accepted'],
    ]
    for (const [current, input, code] of inputs) assert.equal(refusal(() => change(current, input)).code, code)
  })

  const changes: [
    what: string,
    current: Partial<MonitorSettings>,
    input: Partial<MonitorInput>,
    expected: Partial<MonitorSettings>,
  ][] = [
    [
      'clears what is null',
      { keyword: 'a', request_body: 'b' },
      { keyword: null, request_body: null, request_headers: null },
      { keyword: null, request_body: null, request_headers: {} },
    ],
    ['replaces headers whole', {}, { request_headers: { c: '3' } }, { request_headers: { c: '3' } }],
    [
      'replaces options whole',
      { check_options: { a: '1', b: '2' } },
      { check_options: { b: '3' } },
      { check_options: { b: '3' } },
    ],
    [
      'keeps a secret that is left out',
      { secret_options: { api_key: 'k' } },
      { check_options: { a: '1' } },
      { check_options: { a: '1' }, secret_options: { api_key: 'k' } },
    ],
    [
      'replaces a secret',
      { secret_options: { api_key: 'k' } },
      { check_options: { api_key: 'n' } },
      { secret_options: { api_key: 'n' } },
    ],
    [
      'clears a secret by null',
      { secret_options: { api_key: 'k' } },
      { check_options: { api_key: null } },
      { secret_options: {} },
    ],
    [
      "drops another kind's secrets",
      { secret_options: { api_key: 'k' } },
      { kind: 'api' },
      { kind: 'api', secret_options: {} },
    ],
    [
      'means all contacts again by null',
      { alert_channel_ids: [contact] },
      { alert_channel_ids: null },
      { alert_channel_ids: null },
    ],
    ['narrows the locations of a group', { locations: ['b', 'c'] }, { kind: 'group' }, { locations: ['b'], url: null }],
    ['gives a new heartbeat its grace', {}, { kind: 'heartbeat' }, { heartbeat_grace_seconds: 300 }],
    [
      'ends vulnerability alerts with their kind',
      { vulnerability_alerts: true },
      { kind: 'tcp' },
      { vulnerability_alerts: false },
    ],
    [
      'ends those of a repository, which every plan has, with their kind',
      { kind: 'repository', vulnerability_alerts: true },
      { kind: 'http' },
      { vulnerability_alerts: false },
    ],
    [
      'keeps those of a website that becomes an API',
      { vulnerability_alerts: true },
      { kind: 'api' },
      { vulnerability_alerts: true },
    ],
  ]
  for (const [what, current, input, expected] of changes)
    it(what, () => assert.deepEqual({ ...change(current, input), ...expected }, change(current, input)))

  const refused: [
    what: string,
    current: Partial<MonitorSettings>,
    input: Partial<MonitorInput>,
    around: Around,
    fields: string[],
  ][] = [
    ['a bad new target', {}, { url: 'bad' }, {}, ['url']],
    ['the old target for a new kind', { url: 'bad' }, { kind: 'tcp' }, {}, ['url']],
    ['an http monitor without a target', { kind: 'heartbeat', url: null }, { kind: 'http' }, {}, ['url']],
    [
      'a minimum above the present maximum',
      { expected_status_max: 299 },
      { expected_status_min: 300 },
      {},
      ['expected_status_min'],
    ],
    [
      'a maximum below the present minimum',
      { expected_status_min: 200 },
      { expected_status_max: 199 },
      {},
      ['expected_status_max'],
    ],
    [
      'fewer locations than must agree',
      { locations: ['a', 'b'], confirmation_threshold: 2 },
      { locations: ['a'] },
      {},
      ['locations'],
    ],
    ['a quicker interval than the plan has', {}, { interval_seconds: 60 }, {}, ['interval_seconds']],
    ['another billing period once paid', {}, { billing_period: 'lifetime' }, paid, ['billing_period']],
  ]
  for (const [what, current, input, around, fields] of refused)
    it(`refuses ${what}`, () => {
      const { code, fields: named } = refusal(() => change(current, input, around))
      assert.deepEqual([code, named], ['validation_failed', fields])
    })

  it('takes the same billing period, and any in a plan slot', () => {
    assert.equal(refusal(() => change({}, { billing_period: 'monthly' }, paid)).code, 'accepted')
    assert.equal(refusal(() => change({}, { billing_period: null }, paid)).code, 'accepted')
    assert.equal(refusal(() => change({}, { billing_period: 'lifetime' })).code, 'accepted')
  })
})
