import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { webAddress } from '../../test/support/web-addresses.ts'
import { publicFeeds } from '#core/software/feed-roots.ts'
import { type OutsideServices, publicServices } from '#core/monitors/outside-services.ts'
import { defaultPlans } from '#core/money/plan.ts'
import { type Config, ConfigError, httpAddress, readConfig } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const token = `pgk_${'a1'.repeat(16)}`

function serving(changes: Partial<OutsideServices>): OutsideServices {
  return { ...publicServices, ...changes }
}

function backing(changes: Partial<Config['backups']>): Config['backups'] {
  return { folder: null, everyMs: null, keep: 7, passphrase: null, ...changes }
}

describe('readConfig', () => {
  it('has a default for everything', () => {
    assert.deepEqual(readConfig({ HOME: '/root' }), {
      host: '127.0.0.1',
      port: 3000,
      publicUrl: null,
      dataFolder: resolve('data'),
      databaseUrl: null,
      nats: null,
      secretKey: null,
      nextSecretKey: null,
      formerSecretKeys: [],
      owner: { token: null, plan: 'pro', person: null },
      signUp: 'invited',
      takesClientDocuments: true,
      plans: defaultPlans,
      readsPerMinute: 300,
      writesPerMinute: 60,
      registrationsPerMinute: 10,
      anonymousPerDay: 20,
      agentIssuers: [],
      resultDays: 90,
      locations: [{ code: 'local', name: 'This machine' }],
      allowPrivateTargets: 'none',
      deniedTargets: [],
      payments: { mode: 'off' },
      seller: {
        name: 'Example Company Ltd.',
        address: '1 Example Street, 1000 Sofia',
        country: 'BG',
        companyId: '000000000',
        vatId: 'BG000000000',
        isOssRegistered: false,
        needsConfirmedVatIds: false,
        euroRate: null,
      },
      viesUrl: null,
      smtpUrl: null,
      mailFrom: 'Perigee <perigee@localhost>',
      dnsServers: [],
      trustedProxies: [],
      referenceTargets: [],
      asksRootServers: true,
      witness: null,
      countersignFile: null,
      canary: null,
      services: publicServices,
      resumesTls: false,
      runsScripts: false,
      feeds: publicFeeds,
      nvdApiKey: null,
      metricsToken: null,
      operatorEmail: null,
      securityContact: null,
      heartbeatUrl: null,
      otlp: null,
      traces: null,
      backups: { folder: null, everyMs: null, keep: 7, passphrase: null },
      proberThreads: null,
      proberProcess: 'auto',
      logLevel: 'warn',
      unknownVariables: [],
    } satisfies Config)
  })

  it('takes an empty variable for one that is not set', () => {
    assert.deepEqual(readConfig({ PERIGEE_PORT: '', PERIGEE_DATABASE_URL: ' ' }), readConfig({}))
  })

  it('names variables that nothing reads', () => {
    assert.deepEqual(readConfig({ PERIGEE_PROT: '80', PERIGEE_PORT: '80', PATH: '/bin' }).unknownVariables, [
      'PERIGEE_PROT',
    ])
  })

  const accepted: [string, string, keyof Config, unknown][] = [
    ['PERIGEE_HOST', '::1', 'host', '::1'],
    ['PERIGEE_HOST', 'localhost', 'host', 'localhost'],
    ['PERIGEE_PORT', '0', 'port', 0],
    ['PERIGEE_PORT', '65535', 'port', 65_535],
    ['PERIGEE_PUBLIC_URL', 'https://up.example.com/', 'publicUrl', 'https://up.example.com'],
    ['PERIGEE_SECURITY_CONTACT', 'mailto:security@example.com', 'securityContact', 'mailto:security@example.com'],
    ['PERIGEE_SECURITY_CONTACT', 'https://example.com/report', 'securityContact', 'https://example.com/report'],
    ['PERIGEE_DATA_DIR', '/var/lib/perigee', 'dataFolder', '/var/lib/perigee'],
    ['PERIGEE_SECRET_KEY', key, 'secretKey', Buffer.alloc(32, 7)],
    ['PERIGEE_OWNER_TOKEN', token, 'owner', { token, plan: 'pro', person: null }],
    ['PERIGEE_OWNER_PLAN', 'free', 'owner', { token: null, plan: 'free', person: null }],
    ['PERIGEE_SIGN_UP', 'open', 'signUp', 'open'],
    ['PERIGEE_CLIENT_DOCUMENTS', 'off', 'takesClientDocuments', false],
    ['PERIGEE_READS_PER_MINUTE', '1', 'readsPerMinute', 1],
    ['PERIGEE_WRITES_PER_MINUTE', '1000000', 'writesPerMinute', 1_000_000],
    ['PERIGEE_REGISTRATIONS_PER_MINUTE', '1', 'registrationsPerMinute', 1],
    ['PERIGEE_ANONYMOUS_PER_DAY', '1000', 'anonymousPerDay', 1000],
    ['PERIGEE_ANONYMOUS_PER_DAY', '0', 'anonymousPerDay', 0],
    [
      'PERIGEE_AGENT_ISSUERS',
      '[{"issuer":"https://id.example","jwks_uri":"https://id.example/keys","name":"Example"}]',
      'agentIssuers',
      [{ issuer: 'https://id.example', jwksUri: 'https://id.example/keys', name: 'Example' }],
    ],
    ['PERIGEE_RESULT_DAYS', '2', 'resultDays', 2],
    ['PERIGEE_RESULT_DAYS', '1000', 'resultDays', 1000],
    [
      'PERIGEE_LOCATIONS',
      'eu-1=Europe, us=US = West',
      'locations',
      [
        { code: 'eu-1', name: 'Europe' },
        { code: 'us', name: 'US = West' },
      ],
    ],
    ['PERIGEE_ALLOW_PRIVATE_TARGETS', 'true', 'allowPrivateTargets', 'all'],
    ['PERIGEE_ALLOW_PRIVATE_TARGETS', 'false', 'allowPrivateTargets', 'none'],
    ['PERIGEE_ALLOW_PRIVATE_TARGETS', '10.0.0.0/8, ::1', 'allowPrivateTargets', ['10.0.0.0/8', '::1/128']],
    ['PERIGEE_DENIED_TARGETS', '192.0.2.0/24, 2001:db8::1', 'deniedTargets', ['192.0.2.0/24', '2001:db8::1/128']],
    ['PERIGEE_PAYMENTS', 'off', 'payments', { mode: 'off' }],
    ['PERIGEE_PAYMENTS', 'sandbox', 'payments', { mode: 'sandbox', cardWireName: 'card' }],
    ['PERIGEE_SMTP_URL', 'smtps://u:p@mail.example.com:465', 'smtpUrl', 'smtps://u:p@mail.example.com:465'],
    ['PERIGEE_MAIL_FROM', 'alerts@example.com', 'mailFrom', 'alerts@example.com'],
    [
      'PERIGEE_DNS_SERVERS',
      '192.0.2.53,192.0.2.54:5353,[2001:db8::53]:53',
      'dnsServers',
      ['192.0.2.53', '192.0.2.54:5353', '[2001:db8::53]:53'],
    ],
    ['PERIGEE_TRUSTED_PROXIES', '192.0.2.1,2001:db8::/32', 'trustedProxies', ['192.0.2.1/32', '2001:db8::/32']],
    [
      'PERIGEE_REFERENCE_TARGETS',
      'one.example:443,[::1]:53',
      'referenceTargets',
      [
        { host: 'one.example', port: 443 },
        { host: '::1', port: 53 },
      ],
    ],
    ['PERIGEE_ROOT_SERVERS', 'off', 'asksRootServers', false],
    ['PERIGEE_WITNESS', 'rack-1.ams', 'witness', 'rack-1.ams'],
    ['PERIGEE_COUNTERSIGN_FILE', '/keys/history.json', 'countersignFile', '/keys/history.json'],
    ['PERIGEE_BACKUP_EVERY', '1d', 'backups', backing({ everyMs: 86_400_000 })],
    ['PERIGEE_BACKUP_FOLDER', '/backups', 'backups', backing({ folder: '/backups' })],
    ['PERIGEE_BACKUP_KEEP', '30', 'backups', backing({ keep: 30 })],
    ['PERIGEE_BACKUP_PASSPHRASE', 'correct horse', 'backups', backing({ passphrase: 'correct horse' })],
    ['PERIGEE_HEARTBEAT_URL', 'https://a.example/beat/k', 'heartbeatUrl', 'https://a.example/beat/k'],
    ['PERIGEE_PAGE_SPEED_URL', 'http://a.example/x/', 'services', serving({ pageSpeedUrl: 'http://a.example/x' })],
    ['PERIGEE_WEB_RISK_URL', 'https://a.example', 'services', serving({ webRiskUrl: 'https://a.example' })],
    [
      'PERIGEE_RDAP_BOOTSTRAP_URL',
      'http://127.0.0.1:8/dns.json',
      'services',
      serving({ rdapBootstrapUrl: 'http://127.0.0.1:8/dns.json' }),
    ],
    ['PERIGEE_TLS_RESUMPTION', 'on', 'resumesTls', true],
    ['PERIGEE_BROWSER_SCRIPTS', 'on', 'runsScripts', true],
    ['PERIGEE_WHOIS_HOST', 'a.example', 'services', serving({ whoisHost: { host: 'a.example', port: 43 } })],
    ['PERIGEE_WHOIS_HOST', '127.0.0.1:4343', 'services', serving({ whoisHost: { host: '127.0.0.1', port: 4343 } })],
    ['PERIGEE_WHOIS_HOST', '[::1]:4343', 'services', serving({ whoisHost: { host: '::1', port: 4343 } })],
    ['PERIGEE_FEED_OSV', 'http://127.0.0.1:8/osv/', 'feeds', { ...publicFeeds, osv: 'http://127.0.0.1:8/osv' }],
    ['PERIGEE_FEED_NVD', 'off', 'feeds', { ...publicFeeds, nvd: null }],
    [
      'PERIGEE_NVD_API_KEY',
      '01234567-89ab-cdef-0123-456789abcdef',
      'nvdApiKey',
      '01234567-89ab-cdef-0123-456789abcdef',
    ],
    ['PERIGEE_METRICS_TOKEN', 'x'.repeat(16), 'metricsToken', 'x'.repeat(16)],
    ['PERIGEE_OPERATOR_EMAIL', 'operator@example.com', 'operatorEmail', 'operator@example.com'],
    ['PERIGEE_PROBER_THREADS', '2', 'proberThreads', 2],
    ['PERIGEE_PROBER_PROCESS', 'off', 'proberProcess', 'off'],
    ['PERIGEE_LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  ]
  for (const [name, text, member, expected] of accepted)
    it(`reads ${name}=${text}`, () => assert.deepEqual(readConfig({ [name]: text })[member], expected))

  const refused: [string, string][] = [
    ['PERIGEE_HOST', 'http://localhost'],
    ['PERIGEE_PORT', '65536'],
    ['PERIGEE_PORT', '-1'],
    ['PERIGEE_PORT', '80a'],
    ['PERIGEE_PORT', '1e3'],
    ['PERIGEE_PUBLIC_URL', 'up.example.com'],
    ['PERIGEE_PUBLIC_URL', 'ftp://up.example.com'],
    ['PERIGEE_SECURITY_CONTACT', 'security@example.com'],
    ['PERIGEE_SECURITY_CONTACT', 'mailto:a@example.com\nContact: mailto:b@example.com'],
    ['PERIGEE_READS_PER_MINUTE', '0'],
    ['PERIGEE_WRITES_PER_MINUTE', '1.5'],
    ['PERIGEE_RESULT_DAYS', '1'],
    ['PERIGEE_RESULT_DAYS', '1001'],
    ['PERIGEE_LOCATIONS', 'Europe'],
    ['PERIGEE_LOCATIONS', 'EU=Europe'],
    ['PERIGEE_LOCATIONS', 'eu=Europe,eu=Again'],
    ['PERIGEE_LOCATIONS', 'eu='],
    ['PERIGEE_LOCATIONS', 'eu--1=Europe'],
    ['PERIGEE_LOCATIONS', `${'e'.repeat(33)}=Europe`],
    ['PERIGEE_LOCATIONS', Array.from({ length: 33 }, (_, index) => `l${index}=L`).join(',')],
    ['PERIGEE_ALLOW_PRIVATE_TARGETS', 'yes'],
    ['PERIGEE_ALLOW_PRIVATE_TARGETS', '10.0.0.0/33'],
    ['PERIGEE_ALLOW_PRIVATE_TARGETS', '10.0.0.0/8,'],
    ['PERIGEE_ALLOW_PRIVATE_TARGETS', 'fe80::1%eth0/64'],
    ['PERIGEE_DENIED_TARGETS', 'true'],
    ['PERIGEE_PAYMENTS', 'on'],
    ['PERIGEE_OWNER_EMAIL', 'nobody'],
    ['PERIGEE_SIGN_UP', 'closed'],
    ['PERIGEE_CLIENT_DOCUMENTS', 'yes'],
    ['PERIGEE_MAIL_FROM', 'nobody'],
    ['PERIGEE_MAIL_FROM', 'a@b\nBcc: c@d'],
    ['PERIGEE_DNS_SERVERS', 'dns.example'],
    ['PERIGEE_DNS_SERVERS', '192.0.2.53:0'],
    ['PERIGEE_REGISTRATIONS_PER_MINUTE', '0'],
    ['PERIGEE_ANONYMOUS_PER_DAY', 'many'],
    ['PERIGEE_AGENT_ISSUERS', 'https://id.example'],
    ['PERIGEE_AGENT_ISSUERS', '{}'],
    ['PERIGEE_AGENT_ISSUERS', '[{"issuer":"https://id.example","name":"Example"}]'],
    ['PERIGEE_AGENT_ISSUERS', '[{"issuer":"https://id.example","jwks_uri":"file:///keys","name":"Example"}]'],
    [
      'PERIGEE_AGENT_ISSUERS',
      `[${Array.from({ length: 2 }, () => '{"issuer":"https://id.example","jwks_uri":"https://id.example/keys","name":"Twice"}').join(',')}]`,
    ],
    ['PERIGEE_TRUSTED_PROXIES', '192.0.2.0/24/1'],
    ['PERIGEE_PAGE_SPEED_URL', 'a.example'],
    ['PERIGEE_TLS_RESUMPTION', 'true'],
    ['PERIGEE_BROWSER_SCRIPTS', 'yes'],
    ['PERIGEE_WEB_RISK_URL', 'ftp://a.example'],
    ['PERIGEE_RDAP_BOOTSTRAP_URL', '/dns.json'],
    ['PERIGEE_WHOIS_HOST', 'whois://a.example'],
    ['PERIGEE_WHOIS_HOST', 'a.example:0'],
    ['PERIGEE_ROOT_SERVERS', 'on'],
    ['PERIGEE_WITNESS', 'rack 1'],
    ['PERIGEE_WITNESS', 'r'.repeat(65)],
    ['PERIGEE_REFERENCE_TARGETS', 'one.example'],
    ['PERIGEE_REFERENCE_TARGETS', 'one.example:65536'],
    ['PERIGEE_REFERENCE_TARGETS', '[one.example]:80'],
    ['PERIGEE_FEED_CVE', 'none'],
    ['PERIGEE_FEED_EXPLOITED', 'file:///list.json'],
    ['PERIGEE_BACKUP_EVERY', '25h'],
    ['PERIGEE_BACKUP_KEEP', '0'],
    ['PERIGEE_OPERATOR_EMAIL', 'nobody'],
    ['PERIGEE_OPERATOR_EMAIL', 'a@example.com, b@example.com'],
    ['PERIGEE_OPERATOR_EMAIL', `${'a'.repeat(250)}@example.com`],
    ['PERIGEE_PROBER_THREADS', '0'],
    ['PERIGEE_PROBER_PROCESS', 'yes'],
    ['PERIGEE_LOG_LEVEL', 'loud'],
    ['PERIGEE_OWNER_PLAN', 'gold'],
  ]
  for (const [name, text] of refused)
    it(`refuses ${name}=${text.slice(0, 40)} in one line that says what it got`, () => {
      const [problem, ...more] = problemsOf({ [name]: text })
      assert.deepEqual(more, [])
      assert.ok(problem?.startsWith(`${name} must be `), problem)
      assert.ok(
        problem?.endsWith(`it is ${JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)}.`),
        problem,
      )
      assert.ok(!problem?.includes('\n'))
    })

  const secret: [string, string][] = [
    ['PERIGEE_DATABASE_URL', 'mysql://u:hunter2@db/x'],
    ['PERIGEE_BACKUP_PASSPHRASE', 'hunter2'],
    ['PERIGEE_SECRET_KEY', Buffer.alloc(31, 1).toString('base64')],
    ['PERIGEE_SECRET_KEY', `${key}=`],
    ['PERIGEE_OWNER_TOKEN', 'pgk_short'],
    ['PERIGEE_OWNER_TOKEN', `pgk_${'a'.repeat(129)}`],
    ['PERIGEE_OWNER_PASSWORD', 'hunter2'],
    ['PERIGEE_OWNER_PASSWORD', 'hunter2'.repeat(19)],
    ['PERIGEE_SMTP_URL', 'http://u:hunter2@mail'],
    ['PERIGEE_HEARTBEAT_URL', 'ftp://beat.example/hunter2'],
    ['PERIGEE_OTLP_HEADERS', 'hunter2'],
    ['PERIGEE_OTLP_HEADERS', 'a b=hunter2'],
    ['PERIGEE_OTLP_HEADERS', 'a=hunter2,A=hunter2'],
    ['PERIGEE_OTLP_HEADERS', 'a=hunter2%0d%0ab: c'],
    ['PERIGEE_OTLP_HEADERS', 'a=hunter2%'],
    ['PERIGEE_OTLP_HEADERS', Array.from({ length: 21 }, (_, n) => `a${n}=hunter2`).join(',')],
    ['PERIGEE_NVD_API_KEY', 'hunter2 hunter2'],
    ['PERIGEE_METRICS_TOKEN', 'hunter2'],
  ]
  for (const [name, text] of secret)
    it(`refuses ${name} of ${text.length} characters without showing them`, () => {
      const [problem] = problemsOf({
        [name]: text,
        ...(name === 'PERIGEE_DATABASE_URL' ? { PERIGEE_SECRET_KEY: key } : {}),
      })
      assert.ok(problem?.startsWith(`${name} must be `), problem)
      assert.ok(problem?.endsWith(`it is ${text.length} characters that are not shown.`), problem)
      assert.ok(!problem?.includes(text))
    })

  it('tells every problem at once', () => {
    assert.equal(problemsOf({ PERIGEE_PORT: 'x', PERIGEE_LOG_LEVEL: 'y', PERIGEE_SECRET_KEY: 'z' }).length, 3)
  })

  it('takes the owner as address and password, not by halves', () => {
    const [email, password] = ['owner@example.com', 'correct horse battery']
    const { owner } = readConfig({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
    assert.deepEqual(owner.person, { email, password })
    for (const half of [{ PERIGEE_OWNER_EMAIL: email }, { PERIGEE_OWNER_PASSWORD: password }])
      assert.match(problemsOf(half).join(''), /^PERIGEE_OWNER_EMAIL and PERIGEE_OWNER_PASSWORD must be set together/)
  })

  it('asks for the secret key with an external database', () => {
    const databaseUrl = 'postgres://u:p@db.example/perigee'
    const [problem] = problemsOf({ PERIGEE_DATABASE_URL: databaseUrl })
    assert.ok(problem?.startsWith('PERIGEE_SECRET_KEY is required with PERIGEE_DATABASE_URL'), problem)
    assert.equal(readConfig({ PERIGEE_DATABASE_URL: databaseUrl, PERIGEE_SECRET_KEY: key }).databaseUrl, databaseUrl)
  })

  it('throws nothing but its own error, whatever the text', () => {
    const names = [...new Set([...accepted, ...refused, ...secret].map(([name]) => name)), 'PERIGEE_PLANS']
    const environments = fc.dictionary(
      fc.constantFrom(...names),
      fc.oneof(fc.string(), fc.json(), webAddress, fc.ipV6()),
    )
    fc.assert(
      fc.property(environments, (environment) => {
        try {
          readConfig(environment)
        } catch (error) {
          assert.ok(error instanceof ConfigError)
          assert.ok(error.problems.every((problem) => problem.startsWith('PERIGEE_') && !problem.includes('\n')))
        }
      }),
    )
  })
})

describe('docs/configuration.md', () => {
  it('lists the variables that are read, and no other', () => {
    const documented = textOf('../../docs/configuration.md').matchAll(/^\| `(PERIGEE_\w+)`/gm)
    const files = ['keys', 'payments', 'money', 'feeds', 'otlp', 'canary', 'backups', 'checks']
    let text = textOf('./config.ts')
    for (const file of files)
      text = text.replace(`  ...${file.replace(/s$/, '')}Variables,`, () => textOf(`./config-${file}.ts`))
    const read = text.matchAll(/^ {2}(PERIGEE_\w+):/gm)
    assert.deepEqual(
      [...documented].map(([, name]) => name),
      [...read].map(([, name]) => name),
    )
  })
})

function textOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

describe('PERIGEE_PLANS', () => {
  it('is merged by plan and member', () => {
    const { plans } = readConfig({ PERIGEE_PLANS: '{"pro":{"slots":5000}}' })
    assert.deepEqual(plans, { ...defaultPlans, pro: { ...defaultPlans.pro, slots: 5000 } })
  })

  it('adds a plan that says everything', () => {
    const team = {
      slots: 50,
      minIntervalSeconds: 30,
      hasVulnerabilityAlerts: true,
      hasPrivateRepositories: true,
      problemDays: 90,
      contactKinds: null,
    }
    const config = readConfig({ PERIGEE_PLANS: JSON.stringify({ team }), PERIGEE_OWNER_PLAN: 'team' })
    assert.deepEqual(config.plans['team'], team)
  })

  const refused: [string, RegExp][] = [
    ['{', /it is no JSON/],
    ['[]', /the whole: /],
    ['{"pro":{"slotz":1}}', /pro: .*slotz/],
    ['{"pro":{"slots":"9"}}', /pro\.slots: /],
    ['{"pro":{"slots":-1}}', /pro\.slots: /],
    ['{"pro":{"minIntervalSeconds":9}}', /pro\.minIntervalSeconds: /],
    ['{"team":{"slots":1}}', /team\.minIntervalSeconds: /],
    ['{"Not a name":{}}', /Not a name: /],
  ]
  for (const [text, expected] of refused)
    it(`refuses ${text}`, () => {
      const [problem] = problemsOf({ PERIGEE_PLANS: text })
      assert.match(problem ?? '', expected)
      assert.ok(problem?.startsWith('PERIGEE_PLANS must be JSON'))
    })
})

describe('httpAddress', () => {
  it('puts brackets around IPv6', () => {
    assert.equal(httpAddress('::1', 80), 'http://[::1]:80')
    assert.equal(httpAddress('127.0.0.1', 3000), 'http://127.0.0.1:3000')
  })
})

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return assert.fail('was accepted')
}
