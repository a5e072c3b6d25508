// What the options of a monitor may be, by its kind: as many of them as there are, in any combination.
import fc from 'fast-check'
import type { KindName } from '#core/monitors/kind-traits.ts'
import { makeCertificate } from './certificates.ts'

export type Options = Record<string, unknown>

export const short = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
export const named = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }).filter((name) => name.trim() !== '')
const latency = fc.integer({ min: 100, max: 60_000 })
const statusRange = fc
  .tuple(fc.integer({ min: 100, max: 599 }), fc.integer({ min: 100, max: 599 }))
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)
export const statuses = fc.oneof(
  statusRange.map(([min, max]) => ({ expected_status_min: min, expected_status_max: max })),
  fc
    .array(statusRange, { minLength: 1, maxLength: 20 })
    .map((ranges) => ({ expected_statuses: ranges.map(([min, max]) => `${min}-${max}`) })),
)
export const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')
export const headers = fc.dictionary(
  fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,19}$/),
  fc.stringMatching(/^(?:[!-~](?:[ -~]{0,30}[!-~])?)?$/),
  { maxKeys: 4 },
)

/** Any of the members, each there or not. */
export function some(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Options> {
  return fc.record(members, { requiredKeys: [] })
}

export function all(...parts: fc.Arbitrary<Options>[]): fc.Arbitrary<Options> {
  return fc.tuple(...parts).map((given) => Object.assign({}, ...given))
}

/** A character at a time: of a longer pattern, fast-check looks for known texts in a table of all of Unicode, for 1.5 s. */
const segment = fc
  .array(fc.stringMatching(/^[^.\p{C}\p{Z}]$/u), { minLength: 1, maxLength: 8 })
  .map((characters) => characters.join(''))
const jsonPath = fc.array(segment, { minLength: 1, maxLength: 32 }).map((segments) => segments.join('.'))
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
    expected_http_version: fc.constant('1.1'),
    body_sha256: digits,
    certificate_sha256: digits,
  }),
)
const { pem, keyPem } = makeCertificate({ name: 'Perigee' })
const signIn = fc.oneof(
  fc.constant({}),
  fc.record({ sign_in: fc.constant('digest'), sign_in_name: short, sign_in_secret: short }),
  all(
    fc.record({
      sign_in: fc.constant('oauth2'),
      sign_in_name: short,
      sign_in_secret: short,
      token_url: fc.constant('https://login.example.com/token'),
    }),
    some({ token_method: fc.constantFrom('basic', 'post'), token_scope: short, token_audience: short }),
  ),
  fc.record({
    sign_in: fc.constant('aws'),
    sign_in_name: short,
    sign_in_secret: short,
    aws_region: fc.constant('eu-central-1'),
    aws_service: fc.constantFrom('s3', 'execute-api'),
  }),
)
const route = fc.oneof(
  some({ ip_version: fc.constantFrom('ipv4', 'ipv6'), resolver: fc.constantFrom('9.9.9.9', '[2620:fe::fe]:53') }),
  all(
    fc.record({ proxy: fc.constantFrom('http://proxy.example.com:3128', 'socks5://proxy.example.com') }),
    some({ proxy_name: short.map((name) => name.replaceAll(':', '.')), proxy_secret: short }),
  ),
)
const reached = some({
  certificate_authorities: fc.constant(pem),
  client_certificate: fc.constant(pem + keyPem),
  accept_any_certificate: fc.boolean(),
  http2: fc.boolean(),
  inverted: fc.boolean(),
})
const ways = all(signIn, route, reached)
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

/** Of so many names that none comes twice. */
const capture = all(
  fc.record({ name: fc.stringMatching(/^[a-z]{20}$/) }),
  fc.oneof(
    fc.record({ json_path: jsonPath.filter((path) => path.length <= 200) }),
    fc.record({ header: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,19}$/) }),
    fc.record({ pattern: fc.constantFrom('name="([^"]+)"', '[0-9]+') }),
    all(fc.record({ selector: fc.constantFrom('h1', 'meta[name=csrf]') }), some({ selector_attribute: short })),
  ),
)

function steps(most: number): fc.Arbitrary<Options> {
  const step = all(
    web,
    fc.oneof(fc.constant({}), statuses),
    some({
      name: fc.constantFrom('Sign in', 'Bestellen – jetzt'),
      url: fc.constantFrom('/', '/login', 'https://other.example.com/'),
      method,
      headers: fc.option(headers),
      body: fc.option(short),
      keyword: fc.option(short),
      captures: fc.array(capture, { maxLength: 3 }),
    }),
  )
  const code = some({
    secrets: fc.constantFrom(
      [],
      [
        { name: 'password', value: 'b c' },
        { name: 'user', value: 'd' },
      ],
    ),
    totp_secret: fc.stringMatching(/^[A-Z2-7]{16}$/),
  })
  return all(fc.record({ steps: fc.array(step, { minLength: 1, maxLength: most }) }), code, ways)
}

/** Options of each kind beside those that the example of its page has; not of groups, whose members have to be there. */
export const arbitraryOptions: Readonly<Record<Exclude<KindName, 'group'>, fc.Arbitrary<Options>>> = {
  http: all(web, ways, some({ headers_only: fc.boolean(), resume_tls: fc.boolean() })),
  api: all(web, ways, some({ resume_tls: fc.boolean() })),
  ssl: all(
    warning,
    some({
      chain_warn_days: fc.integer({ min: 1, max: 365 }),
      min_protocol: fc.constantFrom('TLSv1.2', 'TLSv1.3'),
      weak_parameters: fc.constantFrom('degraded', 'down'),
      stapled_ocsp: fc.constantFrom('checked', 'required'),
    }),
  ),
  domain: warning,
  dns: all(
    some({
      record_type: fc.constantFrom('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'SRV'),
      expected_answer: short,
      resolver: fc.constantFrom('9.9.9.9', '[2620:fe::fe]:53'),
    }),
    fc.oneof(
      fc.constant({}),
      all(
        fc.record({ dnssec: fc.constant('required') }),
        some({ signature_warn_days: fc.integer({ min: 1, max: 365 }) }),
      ),
    ),
  ),
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
  browser: some({
    device: fc.constantFrom('desktop', 'phone'),
    steps: fc.array(
      fc.constantFrom(
        { name: 'Sign in', action: 'fill', element: '#name', value: 'ann' },
        { action: 'click', element: 'text=Go' },
        { action: 'open', value: '/basket' },
        { action: 'press', value: 'Enter' },
        { action: 'expect_text', value: 'Thank you' },
      ),
      { maxLength: 5 },
    ),
    script: fc.constantFrom("await page.click('text=Go')", 'const { title } = secrets\n// nothing else'),
    secrets: fc.constantFrom([{ name: 'password', value: 'b c' }]),
    totp_secret: fc.stringMatching(/^[A-Z2-7]{16}$/),
    accept_any_certificate: fc.boolean(),
    console_errors: fc.constantFrom('ignore', 'degraded', 'down'),
    failed_requests: fc.constantFrom('ignore', 'degraded', 'down'),
    max_load_ms: latency,
    max_lcp_ms: latency,
    max_cls: fc.constantFrom(0, 0.1, 10),
  }),
  page_speed: some({
    api_key: short,
    strategy: fc.constantFrom('mobile', 'desktop'),
    minimum_score: fc.integer({ min: 0, max: 100 }),
  }),
  webhook: pathAndValue,
  heartbeat: fc.oneof(
    fc.constant({}),
    all(
      fc.record({ schedule: fc.constantFrom('30 2 * * *', '*/5 9-17 * * MON-FRI', ' 0  0 1 1 * ') }),
      some({ time_zone: fc.constantFrom('UTC', 'Australia/Lord_Howe') }),
      some({
        min_run_seconds: fc.integer({ min: 1, max: 60 }),
        max_run_seconds: fc.integer({ min: 61, max: 604_800 }),
      }),
    ),
  ),
  push_metric: some({
    down_below: fc.constant(-5.5),
    degraded_below: fc.constant(0),
    degraded_above: fc.constant(80),
    down_above: fc.integer({ min: 81, max: 1e15 }),
    unit: fc.constantFrom('%', 'GB'),
  }),
  repository: some({ token: short }),
  mqtt: all(
    databaseAccess,
    some({ protocol_version: fc.constantFrom('3.1.1', '5') }),
    fc.oneof(
      fc.constant({}),
      fc.record({ topic: fc.constant('perigee/check'), qos: fc.constantFrom(0, 1) }),
      fc.record(
        {
          watched_topic: fc.constant('plant/state'),
          expected_message: short,
          message_pattern: fc.constantFrom('v\\d+', '(?i)welcome'),
        },
        { requiredKeys: ['watched_topic'] },
      ),
    ),
  ),
  rabbitmq: all(
    databaseAccess,
    fc.record(
      { queue: short, max_messages: fc.nat(), min_consumers: fc.integer({ min: 1, max: 9 }) },
      { requiredKeys: ['queue'] },
    ),
  ),
  mysql: sql,
  ldap: directory,
  snmp: agent,
  postgresql: all(sql, some({ expected_role: fc.constantFrom('primary', 'replica') })),
  grpc: some({
    service: short,
    certificate_authorities: fc.constant(pem),
    client_certificate: fc.constant(pem + keyPem),
    accept_any_certificate: fc.boolean(),
    max_latency_ms: latency,
  }),
  websocket: some({
    send: short,
    expected_message: short,
    message_pattern: fc.constantFrom('v\\d+', '(?i)welcome'),
    subprotocol: fc.constant('graphql-transport-ws'),
    certificate_authorities: fc.constant(pem),
    client_certificate: fc.constant(pem + keyPem),
    accept_any_certificate: fc.boolean(),
    max_latency_ms: latency,
  }),
  redis: all(
    databaseAccess,
    fc.oneof(fc.constant({}), fc.record({ key: short, expected_value: short })),
    fc.oneof(fc.constant({}), fc.record({ list: short, max_list_length: fc.nat() })),
    some({ max_memory_mb: fc.integer({ min: 1, max: 1000 }), expected_role: fc.constantFrom('primary', 'replica') }),
  ),
}

/** Everything that the API takes beside name, kind, target and options. */
