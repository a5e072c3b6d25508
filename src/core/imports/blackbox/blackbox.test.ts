import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { blackboxExample } from '../../../../test/support/blackbox-example.ts'
import { readBlackbox } from './blackbox.ts'
import { ImportError } from '#core/imports/imported.ts'

const example = readBlackbox(blackboxExample)

describe('targets of blackbox_exporter', () => {
  it('become what checks the same, or are told as lost', () => {
    assert.deepEqual(
      example.monitors.map(({ input }) => [input.kind, input.url, input.interval_seconds]),
      [
        ['http', 'https://example.com', 30],
        ['http', 'http://example.org/', 30],
        ['api', 'http://api.example.com', 30],
        ['http', 'https://listed.example.com/', 300],
        ['http', 'https://shop.example.com/health', 30],
        ['ssl', 'ldap.example.com:636', 30],
        ['smtp', 'mail.example.com:587', 30],
        ['pop', 'mail.example.com:995', 30],
        ['tcp', 'example.com:22', 30],
        ['tcp', 'irc.example.com:6667', 30],
        ['ping', '192.0.2.1', 30],
        ['ping', '2001:db8::1', 30],
        ['dns', 'www.example.com', 30],
        ['grpc', 'grpc://a:1', 30],
      ],
    )
    assert.deepEqual(
      example.notes.map(({ effect, place }) => `${effect} ${place}`),
      [
        'changed modules.web.follow_redirects',
        'lost modules.web.http_headers',
        'lost modules.web.tls_config',
        'lost modules.web.fail_if_not_ssl',
        'lost scrape_configs[4].dns_sd_configs',
        'lost modules.irc.tcp.query_response',
        'lost modules.address.dns',
        'lost scrape_configs[12].targets[0][0]',
        'changed scrape_configs[13].targets[0][0]',
        'lost scrape_configs[14].params',
        'changed scrape_configs',
      ],
    )
  })

  it('take the requests of their module along', () => {
    const [first, , json] = example.monitors
    assert.deepEqual(first?.input, {
      name: 'https://example.com',
      kind: 'http',
      url: 'https://example.com',
      method: 'POST',
      interval_seconds: 30,
      timeout_ms: 5000,
      expected_status_min: 200,
      expected_status_max: 201,
      request_body: '{}',
      request_headers: { 'Content-Type': 'application/json', 'X-Key': 'one', authorization: 'Basic YWRhOnNlY3JldA==' },
      keyword: 'Download the latest version here',
      check_options: {
        absent_pattern: 'Could not connect',
        accept_any_certificate: true,
        http2: true,
        ip_version: 'ipv6',
      },
      tags: ['web', 'env:production'],
      contacts: null,
    })
    assert.deepEqual(json?.input.check_options, { json_path: 'state.name', expected_value: 'ok', http2: true })
  })
})

describe('the reader of blackbox_exporter', () => {
  it('takes bytes for what is sent', () => {
    const dialogue = [{ send: new Uint8Array([0, 8]) }, { expect_bytes: 'S' }, { starttls: true }]
    const { monitors } = readBlackbox([
      { modules: { db: { prober: 'tcp', tcp: { query_response: dialogue } } } },
      { scrape_configs: [{ params: { module: ['db'] }, static_configs: [{ targets: ['db.example.com:5432'] }] }] },
    ])
    assert.deepEqual(
      monitors.map(({ input }) => input.kind),
      ['tcp'],
    )
  })

  it('refuses with the place of what is wrong', () => {
    const refusals: [documents: unknown[], message: string][] = [
      [[], 'The file has no scrape_configs of Prometheus, which name the targets.'],
      [[{}], 'scrape_configs: Must be a list.'],
      [
        [{ modules: {} }, { scrape_configs: [{ static_configs: 1 }] }],
        'file 2.scrape_configs[0].static_configs: Must be a list.',
      ],
      [
        [
          {
            scrape_configs: Array.from({ length: 6 }, () => ({
              static_configs: [{ targets: Array.from({ length: 1000 }, () => 'a') }],
            })),
          },
        ],
        'It has at least 6000 targets, and an import takes 5000.',
      ],
    ]
    for (const [documents, message] of refusals) assert.throws(() => readBlackbox(documents), new ImportError(message))
  })

  it('throws nothing but its own error', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.anything(),
      fc.constantFrom('a:1', '[::1]:25', 'https://a.example.com', 'true', 'false'),
    )
    const module = fc.record(
      {
        prober: fc.constantFrom('http', 'tcp', 'icmp', 'dns', 'x'),
        http: fc.oneof(
          fc.record(
            {
              method: cell,
              valid_status_codes: fc.array(cell),
              fail_if_body_not_matches_regexp: fc.array(cell),
              fail_if_body_json_not_matches_cel: cell,
              headers: cell,
            },
            { requiredKeys: [] },
          ),
          cell,
        ),
        tcp: cell,
        dns: cell,
        timeout: cell,
      },
      { requiredKeys: ['prober'] },
    )
    const job = fc.record({
      params: fc.constant({ module: ['m'] }),
      static_configs: fc.array(fc.record({ targets: fc.array(cell), labels: cell })),
      relabel_configs: cell,
      scrape_interval: cell,
    })
    const files = fc.tuple(
      fc.record({ modules: fc.record({ m: module }) }),
      fc.record({ scrape_configs: fc.array(job, { maxLength: 2 }) }),
      cell,
    )
    fc.assert(
      fc.property(fc.oneof(files, fc.array(fc.anything())), (documents) => {
        try {
          readBlackbox(documents)
        } catch (error) {
          if (!(error instanceof ImportError)) throw error
        }
      }),
      { numRuns: 500 },
    )
  })
})

const groups = (targets: number): object[] => [{ targets: Array.from({ length: targets }, () => 'a.example') }]
const counted = (...documents: unknown[]): number => readBlackbox(documents).monitors.length

describe('files of blackbox_exporter', () => {
  const job = { params: { module: ['icmp'] } }

  it('have 5,000 targets at most, of the files too', () => {
    assert.equal(counted({ scrape_configs: [{ ...job, static_configs: groups(5000) }] }), 5000)
    const tooMany = /^Error: It has at least 5001 targets, and an import takes 5000\.$/
    assert.throws(() => counted({ scrape_configs: [{ ...job, static_configs: groups(5001) }] }), tooMany)
    const files = { scrape_configs: [{ ...job, file_sd_configs: [{ files: ['a'] }] }] }
    assert.equal(counted(files, groups(3000), groups(2000)), 5000)
    assert.throws(() => counted(files, groups(3000), groups(2001)), tooMany)
    assert.throws(
      () => counted({ scrape_configs: [...files.scrape_configs, ...files.scrape_configs] }, groups(2501)),
      /5002/,
    )
    const own = {
      scrape_configs: [
        { ...job, static_configs: groups(2501) },
        { ...job, static_configs: groups(2500) },
      ],
    }
    assert.throws(() => counted(own), tooMany)
    const none = Array.from({ length: 5001 }, () => ({ targets: [] }))
    assert.throws(() => counted({ scrape_configs: [{ ...job, static_configs: none }] }), tooMany)
    // Jobs without files do not have the targets of files.
    assert.equal(counted({ scrape_configs: [{ ...job, static_configs: groups(4000) }] }, groups(3000)), 4000)
  })

  it('are a hundred at most, of which some may be empty', () => {
    const one = { scrape_configs: [{ ...job, static_configs: groups(1) }] }
    const empty = Array.from({ length: 98 }, () => null)
    assert.equal(counted(one, '', ...empty), 1)
    assert.throws(() => counted(one, '', undefined, ...empty), /^Error: It has more than 100 documents\.$/)
  })

  it('are of monitors that run', () => {
    const [first] = readBlackbox([{ scrape_configs: [{ ...job, static_configs: groups(1) }] }]).monitors
    assert.equal(first?.isPaused, false)
  })

  const relabelled: [what: string, rules: object[], url: string | undefined][] = [
    ['one rule', [{ target_label: '__param_target', replacement: '$1.b' }], 'a.example.b'],
    ['one rule with braces', [{ target_label: '__param_target', replacement: 'x.${1}' }], 'x.a.example'],
    ['a rule with a pattern', [{ target_label: '__param_target', replacement: '$1.b', regex: '(.*)' }], 'a.example'],
    [
      'two rules',
      [
        { target_label: '__param_target', replacement: '$1.b' },
        { target_label: '__param_target', replacement: '$1.c' },
      ],
      'a.example',
    ],
    ['a rule without its target', [{ target_label: '__param_target', replacement: 'b.example' }], 'a.example'],
  ]
  for (const [what, relabel_configs, url] of relabelled)
    it(`are relabelled by ${what}`, () => {
      const { monitors } = readBlackbox([{ scrape_configs: [{ ...job, relabel_configs, static_configs: groups(1) }] }])
      assert.equal(monitors[0]?.input.url, url)
    })
})
