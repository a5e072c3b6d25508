import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type KindName, kindNames, kindTraits } from '#core/monitors/kind-traits.ts'
import { type MonitorRecord, monitorInputSchema } from '#core/monitors/monitor.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { addContact } from '../../../test/support/engine.ts'
import { exampleOf } from '../../../test/support/kind-pages.ts'
import { targetOf } from '../../../test/support/monitor-targets.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { addPayment } from '../../../test/support/payments.ts'

type Options = Record<string, unknown>

// The time stands still, since the next check of a monitor is a matter of the moment.
const now = new Date()
const api = await testApi({ now: () => now })
const payer = await api.addWorkspace('pay_as_you_go')
await addPayment(api.database, { workspaceId: payer.workspaceId, amountCents: 50_000 })
const contactId = await addContact(api.database, api.workspaceId)
const memberIds = [(await createMonitor(api)).id, (await createMonitor(api)).id]

const short = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
const named = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }).filter((name) => name.trim() !== '')
const latency = fc.integer({ min: 100, max: 60_000 })
const statusRange = fc
  .tuple(fc.integer({ min: 100, max: 599 }), fc.integer({ min: 100, max: 599 }))
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)
const statuses = fc.oneof(
  statusRange.map(([min, max]) => ({ expected_status_min: min, expected_status_max: max })),
  fc
    .array(statusRange, { minLength: 1, maxLength: 20 })
    .map((ranges) => ({ expected_statuses: ranges.map(([min, max]) => `${min}-${max}`) })),
)
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')
const headers = fc.dictionary(
  fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,19}$/),
  fc.stringMatching(/^(?:[!-~](?:[ -~]{0,30}[!-~])?)?$/),
  { maxKeys: 4 },
)

/** Any of the members, each there or not. */
function some(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Options> {
  return fc.record(members, { requiredKeys: [] })
}

function all(...parts: fc.Arbitrary<Options>[]): fc.Arbitrary<Options> {
  return fc.tuple(...parts).map((given) => Object.assign({}, ...given))
}

const jsonPath = fc
  .array(fc.stringMatching(/^[^.\p{C}\p{Z}]{1,8}$/u), { minLength: 1, maxLength: 32 })
  .map((segments) => segments.join('.'))
const pathAndValue = fc.oneof(
  fc.constant({}),
  fc.record({ json_path: jsonPath }),
  fc.record({ json_path: jsonPath, expected_value: fc.jsonValue({ maxDepth: 2 }) }),
)
const expectedElement = fc.constantFrom(
  { selector: 'h1' },
  { selector: '.error', match: 'absent' },
  { selector: 'main > p', match: 'contains', value: 'open' },
)
const expectedHeader = fc.oneof(
  fc.record({ name: fc.constantFrom('etag', 'X-A'), match: fc.constantFrom('present', 'absent') }),
  fc.record({ name: fc.constant('etag'), match: fc.constantFrom('equals', 'contains'), value: short }),
  fc.record({ name: fc.constant('etag'), match: fc.constant('matches'), value: fc.constantFrom('^"', '(?i)a|b') }),
)
const digits = fc.stringMatching(/^[0-9a-f]{64}$/)
const web = all(
  pathAndValue,
  some({
    max_latency_ms: latency,
    absent_keyword: short,
    body_pattern: fc.constantFrom('v\\d+', '(?i)welcome'),
    absent_pattern: fc.constantFrom('(?i)fatal error', '^$'),
    json_schema: fc.constantFrom({}, { type: 'object', required: ['a'], properties: { a: { enum: [1, null] } } }),
    jsonata: fc.constantFrom('true', '$count(a) > 1'),
    expected_elements: fc.array(expectedElement, { maxLength: 3 }),
    expected_headers: fc.array(expectedHeader, { maxLength: 3 }),
    final_url: fc.constant('https://example.com/home'),
    body_sha256: digits,
    certificate_sha256: digits,
  }),
)
const { pem, keyPem } = makeCertificate({ name: 'Perigee' })
const ways = some({
  ip_version: fc.constantFrom('ipv4', 'ipv6'),
  certificate_authorities: fc.constant(pem),
  client_certificate: fc.constant(pem + keyPem),
  accept_any_certificate: fc.boolean(),
  inverted: fc.boolean(),
})
const databaseAccess = all(
  fc.oneof(fc.constant({}), fc.record({ username: short, password: short })),
  some({
    certificate_authorities: fc.constant(pem),
    client_certificate: fc.constant(pem + keyPem),
    accept_any_certificate: fc.boolean(),
    max_latency_ms: latency,
  }),
)
const sql = all(
  databaseAccess,
  fc.record({ username: short }),
  some({ security: fc.constantFrom('tls', 'none') }),
  fc.oneof(
    fc.constant({}),
    fc.record({ statement: fc.constant('SELECT count(*) FROM jobs'), expected_value: short }),
    fc.record({ statement: fc.constant('SELECT 1'), max_value: fc.integer() }),
  ),
)
const password = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 20 })
const directory = all(
  fc.oneof(fc.constant({}), fc.record({ bind_dn: short, password: short })),
  some({
    security: fc.constantFrom('starttls', 'none'),
    client_certificate: fc.constant(pem + keyPem),
    max_latency_ms: latency,
  }),
  fc.oneof(
    fc.constant({}),
    all(
      fc.record({ base: short }),
      some({
        scope: fc.constantFrom('base', 'one', 'sub'),
        filter: fc.constantFrom('(uid=ann)', '(&(objectClass=person)(!(cn=a*)))'),
        min_entries: fc.integer({ min: 1, max: 100 }),
      }),
      fc.oneof(fc.constant({}), fc.record({ attribute: fc.constant('mail'), expected_value: short })),
    ),
  ),
)
const agent = all(
  fc.oneof(fc.constant({}), fc.record({ auth_password: password, priv_password: password })),
  some({
    version: fc.constantFrom('2c', '3'),
    community: short,
    username: short,
    auth_protocol: fc.constantFrom('SHA-1', 'SHA-256'),
    max_latency_ms: latency,
  }),
  fc.oneof(
    fc.constant({}),
    all(
      fc.record({ oid: fc.constantFrom('1.3.6.1.2.1.1.3.0', '.1.3.6.1.4.1.9') }),
      some({ expected_value: short, min_value: fc.nat(99), max_value: fc.integer({ min: 100, max: 999 }) }),
    ),
  ),
)
const mail = some({ security: fc.constantFrom('tls', 'starttls') })
const banner = some({ expected_text: short })
const warning = some({ warn_days: fc.integer({ min: 1, max: 365 }) })

function steps(most: number): fc.Arbitrary<Options> {
  const step = all(
    web,
    fc.oneof(fc.constant({}), statuses),
    some({
      url: fc.constantFrom('/', '/login', 'https://other.example.com/'),
      method,
      headers: fc.option(headers),
      body: fc.option(short),
      keyword: fc.option(short),
    }),
  )
  return all(fc.record({ steps: fc.array(step, { minLength: 1, maxLength: most }) }), ways)
}

/** Options of each kind beside those that the example of its page has. */
const optionsOf: Readonly<Record<KindName, fc.Arbitrary<Options>>> = {
  http: all(web, ways, some({ headers_only: fc.boolean() })),
  api: all(web, ways),
  ssl: warning,
  domain: warning,
  dns: some({
    record_type: fc.constantFrom('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'SRV'),
    expected_answer: short,
  }),
  blacklist: some({ lookup: fc.constantFrom('domain', 'mail_servers', 'host') }),
  email_auth: some({
    dkim_selectors: fc.subarray(['s1', '2026.mail']),
    dmarc_policy: fc.constantFrom('none', 'quarantine', 'reject'),
  }),
  malware: some({ api_key: short }),
  tcp: banner,
  ssh: banner,
  smtp: mail,
  imap: mail,
  pop: mail,
  ftps: mail,
  ping: some({
    packets: fc.integer({ min: 1, max: 10 }),
    max_loss_percent: fc.integer({ min: 0, max: 99 }),
    max_latency_ms: latency,
  }),
  ntp: some({ max_offset_ms: fc.integer({ min: 1, max: 60_000 }) }),
  udp: all(
    fc.uint8Array({ minLength: 1, maxLength: 512 }).map((bytes) => ({
      payload_base64: Buffer.from(bytes).toString('base64'),
    })),
    banner,
  ),
  game_server: some({ edition: fc.constantFrom('java', 'bedrock') }),
  transaction: steps(5),
  micro_transaction: steps(3),
  extended_transaction: steps(10),
  group: all(
    fc.subarray(memberIds, { minLength: 1 }).map((ids) => ({ member_ids: ids })),
    some({ group_policy: fc.constantFrom('all', 'any') }),
  ),
  cloud_status: some({
    components: fc.array(short, { maxLength: 5 }),
    down_on: fc.constantFrom('minor', 'major', 'critical'),
  }),
  paid_endpoint: some({
    protocol: fc.constantFrom('any', 'x402', 'mpp'),
    highest_price: fc.bigInt({ min: 1n, max: 10n ** 78n - 1n }).map(String),
    max_latency_ms: latency,
    buys: fc.constant(false),
  }),
  page_speed: some({
    api_key: short,
    strategy: fc.constantFrom('mobile', 'desktop'),
    minimum_score: fc.integer({ min: 0, max: 100 }),
  }),
  webhook: pathAndValue,
  heartbeat: fc.constant({}),
  repository: some({ token: short }),
  mysql: sql,
  ldap: directory,
  snmp: agent,
  postgresql: all(sql, some({ expected_role: fc.constantFrom('primary', 'replica') })),
  redis: all(
    databaseAccess,
    fc.oneof(fc.constant({}), fc.record({ key: short, expected_value: short })),
    fc.oneof(fc.constant({}), fc.record({ list: short, max_list_length: fc.nat() })),
    some({ max_memory_mb: fc.integer({ min: 1, max: 1000 }), expected_role: fc.constantFrom('primary', 'replica') }),
  ),
}

/** Everything that the API takes beside name, kind, target and options. */
function fieldsOf(kind: KindName): fc.Arbitrary<Options> {
  const { software } = kindTraits[kind]
  const threshold = fc.integer({ min: 1, max: 10 })
  return all(
    fc.oneof(fc.constant({}), statuses),
    locationsOf(kind),
    some({
      name: named,
      url: targetOf[kind],
      method,
      interval_seconds: fc.integer({ min: 10, max: 86_400 }),
      timeout_ms: fc.integer({ min: 500, max: 60_000 }),
      keyword: fc.option(short),
      request_headers: fc.option(headers),
      request_body: fc.option(short),
      failure_threshold: threshold,
      recovery_threshold: threshold,
      heartbeat_grace_seconds: fc.integer({ min: 0, max: 86_400 }),
      expiry_alerts: fc.boolean(),
      ...(software === 'none' ? {} : { vulnerability_alerts: fc.boolean() }),
      vulnerability_severity: fc.constantFrom('low', 'medium', 'high', 'critical'),
      charts: fc.constantFrom('both', 'uptime', 'response'),
      alert_channel_ids: fc.constantFrom(null, [], [contactId]),
      alert_channel_tags: fc.constantFrom([], ['Nights']),
      billing_period: fc.constantFrom(null, 'monthly', 'lifetime'),
    }),
  )
}

/** Where a monitor is checked, and how many of these places have to agree. */
function locationsOf(kind: KindName): fc.Arbitrary<Options> {
  const most = kindTraits[kind].isSingle ? 1 : 3
  const chosen = fc.shuffledSubarray(['amsterdam', 'boston', 'chennai'], { minLength: 1, maxLength: most })
  const agreeing = chosen.chain((locations) =>
    fc.record({
      locations: fc.constant(locations),
      confirmation_threshold: fc.integer({ min: 1, max: locations.length }),
    }),
  )
  return fc.oneof(
    fc.constant({}),
    chosen.map((locations) => ({ locations })),
    agreeing,
  )
}

function inputOf(kind: KindName): fc.Arbitrary<Options> {
  const { check_options: options = {}, ...example } = exampleOf(kind)
  const chosen = all(fc.constant(options), optionsOf[kind]).map((given) => ({ check_options: given }))
  return all(fc.constant(example), fieldsOf(kind), chosen)
}

/** The monitor without the fields that are only shown. */
function asInput(record: MonitorRecord): Options {
  return Object.fromEntries(Object.entries(record).filter(([field]) => field in monitorInputSchema.shape))
}

/** Sends a monitor back to all that takes one, and compares what is shown and what is checked. */
async function sendBack(record: MonitorRecord, token = api.token): Promise<void> {
  const read = await api.get(`/monitors/${record.id}`, { token })
  const input = asInput(monitorOf(read))
  const checked = await configurationOf(record)
  for (const path of ['/monitors/quote', `/monitors/${record.id}/quote`])
    assertTaken(await api.post(path, input, { token }))
  const changed = await api.request('PATCH', `/monitors/${record.id}`, { body: input, token })
  assertTaken(changed)
  assert.deepEqual(monitorOf(changed), monitorOf(read))
  assert.deepEqual(await configurationOf(record), checked)
}

function assertTaken({ status, text }: Answer): void {
  assert.equal(status, 200, text)
}

/** With its secrets. */
async function configurationOf({ id }: MonitorRecord): Promise<unknown> {
  return readCheckConfigurations(api.database, api.services.secrets, { location: null, ids: [id] })
}

/** Each takes some 50 ms of the processor, the database included. */
const runs = 16

describe('a monitor as it was read', () => {
  for (const kind of kindNames)
    it(`is taken back, and changes nothing: ${kind}`, async () => {
      await fc.assert(
        fc.asyncProperty(inputOf(kind), async (input) => {
          const created = await api.post('/monitors', input)
          assert.equal(created.status, 201, created.text)
          const record = monitorOf(created)
          await sendBack(record)
          assert.equal((await api.request('DELETE', `/monitors/${record.id}`)).status, 204)
        }),
        { numRuns: runs },
      )
    })

  for (const period of ['monthly', 'lifetime'])
    it(`is taken back where it is paid: ${period}`, async () => {
      await sendBack(await createMonitor(api, { billing_period: period }, payer.token), payer.token)
    })

  it('is taken back as a group of which a member was deleted', async () => {
    const { id: gone } = await createMonitor(api)
    const options = { member_ids: [...memberIds, gone] }
    const group = await createMonitor(api, { kind: 'group', check_options: options })
    assert.equal((await api.request('DELETE', `/monitors/${gone}`)).status, 204)
    await sendBack(group)
  })

  it('is taken back without a kind where its own kind has no target', async () => {
    const { id, name } = await createMonitor(api, { kind: 'heartbeat' })
    assertTaken(await api.request('PATCH', `/monitors/${id}`, { body: { name, url: null } }))
  })

  it('is refused where its kind needs what is null', async () => {
    const website = await createMonitor(api)
    const called = await createMonitor(api, { kind: 'heartbeat' })
    for (const [{ id, name }, body, field] of [
      [website, { url: null }, 'url'],
      [called, { heartbeat_grace_seconds: null }, 'heartbeat_grace_seconds'],
      [called, { kind: 'http', url: null }, 'url'],
      [website, { kind: 'heartbeat', heartbeat_grace_seconds: null }, 'heartbeat_grace_seconds'],
      [website, { timeout_ms: null }, 'timeout_ms'],
    ] as const) {
      const refused = await api.request('PATCH', `/monitors/${id}`, { body: { name, ...body } })
      assert.deepEqual(refusalOf(refused), [422, 'validation_failed', field])
    }
  })
})
