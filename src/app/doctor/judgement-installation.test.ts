import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Found } from '#core/doctor-report.ts'
import { type ClusterStatus, clusterTroubles, type OperatorStatus } from '#core/operator-status.ts'
import { noPhases } from '#core/results/result.ts'
import type { DnsOutcome } from '#net/dns/dns.ts'
import type { HttpOutcome } from '#net/http/http-request.ts'
import { judgeBackups } from './backups.ts'
import { judgeExtras } from './extras.ts'
import { judgeEngines, judgeFeeds, judgeLocations, judgeWork } from './installation.ts'
import { judgeAddress } from './own-address.ts'
import { judgeResolver } from './resolver.ts'
import { judgeService } from './service.ts'

const location = {
  code: 'ams',
  name: 'Amsterdam',
  online: true,
  seen_seconds: 2,
  lost_network_seconds: null,
  monitors: 7,
}
const engine = { name: 'e', is_alive: true, seen_seconds: 1, up_seconds: 100 }
const well: ClusterStatus = {
  database: { version: '18.4', schema: 7, size_bytes: 10_000_000, oldest_result_day: null },
  engines: [engine],
  partitions: [{ partition: 0, owner: 'e', epoch: 3, held_seconds: 50 }],
  locations: [location],
  monitors: { enabled: 7, paused: 1, late: 2, latest_seconds: 50, rounds_behind: 3, unchecked: 0 },
  deliveries: { pending: 5, overdue: 0, oldest_overdue_seconds: 0, held_up: 3 },
  jobs: { waiting: 5, running: 1, overdue: 0, failed: 4, oldest_due_seconds: 10 },
  merging: { monitors_due: 5, lag_seconds: 0 },
  feeds: [],
  mail: null,
  clock: null,
  set_aside: null,
  broker: null,
  sending_held: null,
  backup: null,
  former_keys: null,
}
const day = 86_400
const kept = { age_seconds: 60, size_bytes: 1_000, failing: null }

function verdictsOf(found: readonly Found[]): string[] {
  return found.map(({ subject, verdict, advice }) => {
    if (verdict === 'warning' || verdict === 'bad') assert.ok((advice ?? '') !== '', `${subject} has no advice`)
    return `${subject} ${verdict}`
  })
}

describe('the verdict on an installation', () => {
  const cases: [string, Found[], string[]][] = [
    ['engines that live', judgeEngines(well), ['e good']],
    [
      'an engine that is gone',
      judgeEngines({ ...well, engines: [engine, { ...engine, name: 'f', is_alive: false }] }),
      ['e good', 'f warning'],
    ],
    ['no engine', judgeEngines({ ...well, engines: [] }), ['trouble bad']],
    ['locations that are there', judgeLocations(well), ['ams good']],
    ['one that is missed', judgeLocations({ ...well, locations: [{ ...location, online: false }] }), ['trouble bad']],
    [
      'one that no monitor uses',
      judgeLocations({ ...well, locations: [{ ...location, online: false, monitors: 0 }] }),
      ['ams good'],
    ],
    [
      'one without network',
      judgeLocations({ ...well, locations: [{ ...location, lost_network_seconds: 40 }] }),
      ['trouble bad', 'ams good'],
    ],
    ['no backups by a schedule', judgeBackups(well, null), ['schedule not_looked_at']],
    [
      'a first backup to come',
      judgeBackups({ ...well, backup: { ...kept, age_seconds: null } }, day * 1000),
      ['schedule good'],
    ],
    ['a backup of today', judgeBackups({ ...well, backup: kept }, day * 1000), ['schedule good']],
    [
      'one that is late',
      judgeBackups({ ...well, backup: { ...kept, age_seconds: 2 * day + 1 } }, day * 1000),
      ['schedule warning'],
    ],
    [
      'an old one, of a schedule not known',
      judgeBackups({ ...well, backup: { ...kept, age_seconds: 9 * day } }, null),
      ['schedule good'],
    ],
    [
      'backups that fail',
      judgeBackups({ ...well, backup: { ...kept, failing: { seconds: 5, error: 'disk full' } } }, day * 1000),
      ['schedule bad'],
    ],
    ['work that is done', judgeWork(well), ['all good']],
    ['work that waits', judgeWork({ ...well, jobs: { ...well.jobs, overdue: 2 } }), ['trouble bad']],
    ['a monitor set aside', judgeWork({ ...well, set_aside: { seconds: 5, monitor_ids: ['m'] } }), ['trouble warning']],
    ['no feeds', judgeFeeds(well), ['all not_looked_at']],
    [
      'feeds',
      judgeFeeds({
        ...well,
        feeds: [
          { name: 'osv', read_seconds: 60, error: null },
          { name: 'nvd', read_seconds: 2 * day + 1, error: 'It is away.' },
          { name: 'cve', read_seconds: null, error: null },
          { name: 'exploited', read_seconds: null, error: 'It is away.' },
        ],
      }),
      ['osv good', 'nvd warning', 'cve good', 'exploited warning'],
    ],
  ]
  for (const [what, found, verdicts] of cases)
    it(`${what} is ${verdicts.join(', ')}`, () => assert.deepEqual(verdictsOf(found), verdicts))

  it('has the words of perigee status', () => {
    const status = { ...well, engines: [], locations: [{ ...location, online: false }] }
    const told = [...judgeEngines(status), ...judgeLocations(status)].map(({ found }) => found)
    assert.deepEqual(told, clusterTroubles(status))
  })
})

describe('the verdict on a process', () => {
  const status: OperatorStatus = {
    at: new Date(0).toISOString(),
    process: { version: '1.0.0', roles: ['api'], name: 'here', up_seconds: 5, bus: null, engine: null, prober: null },
    cluster: well,
    troubles: ['The database cannot store anything: no space left.'],
  }
  const cases: [string, Parameters<typeof judgeService>[0], string[]][] = [
    ['that answers', { status: { ...status, troubles: [] }, refusing: [] }, ['process good', 'release good']],
    ['whose database is full', { status, refusing: [] }, ['process good', 'release good', 'database warning']],
    ['that asks for a token', { status: null, refusing: ['http://127.0.0.1:3000'] }, ['token warning']],
    ['that is not there', { status: null, refusing: [] }, ['process warning']],
  ]
  for (const [what, asked, verdicts] of cases)
    it(`${what} is ${verdicts.join(', ')}`, () => assert.deepEqual(verdictsOf(judgeService(asked, '1.0.0')), verdicts))

  it('of another release is a warning', () =>
    assert.ok(verdictsOf(judgeService({ status, refusing: [] }, '1.0.1')).includes('release warning')))
})

function answer(rcode: string, latencyMs = 10): DnsOutcome {
  return {
    ok: true,
    latencyMs,
    phases: noPhases,
    answer: { rcode, answers: [], isAuthoritative: false, isTcp: false, authorities: [], additionals: [] },
  }
}

describe('the verdict on name servers', () => {
  const silent: DnsOutcome = {
    ok: false,
    latencyMs: 10,
    phases: noPhases,
    failure: { phase: 'dns', code: 'timed_out', message: 'Timed out' },
  }
  const cases: [string, DnsOutcome[], string[]][] = [
    ['that answer', [answer('NOERROR'), answer('NXDOMAIN')], ['0 good', '1 good']],
    ['that are slow', [answer('NOERROR', 1_000)], ['0 warning']],
    ['in trouble', [answer('SERVFAIL')], ['0 warning']],
    ['of which one is silent', [silent, answer('NOERROR')], ['0 warning', '1 good']],
    ['that are silent', [silent, silent], ['0 bad', '1 bad']],
  ]
  for (const [what, outcomes, verdicts] of cases)
    it(`${what} is ${verdicts.join(', ')}`, () => {
      const asked = outcomes.map((outcome, index) => ({ server: String(index), outcome }))
      assert.deepEqual(verdictsOf(judgeResolver(asked)), verdicts)
    })
})

function answered(status: number, end: string | null): HttpOutcome {
  return {
    ok: true,
    latencyMs: 5,
    phases: noPhases,
    answer: {
      status,
      version: '1.1',
      headers: {},
      body: new Uint8Array(),
      isTruncated: false,
      finalUrl: '',
      redirects: [],
      address: '127.0.0.1',
      tls:
        end === null ? null : { protocol: 'TLSv1.3', cipher: '', certificate: certificateUntil(end), isResumed: false },
    },
  }
}

describe('the verdict on the own address', () => {
  const now = new Date('2026-11-27T00:00:00Z')
  const away: HttpOutcome = {
    ok: false,
    latencyMs: 5,
    phases: noPhases,
    failure: { phase: 'connect', code: 'connection_refused', message: 'Refused' },
    redirects: [],
    status: null,
  }
  const secure = 'https://up.example.com'
  const cases: [string, string, HttpOutcome, string[]][] = [
    ['that answers', secure, answered(200, '2026-12-30T00:00:00Z'), ['answer good', 'certificate good']],
    [
      'whose certificate ends in 14 days',
      secure,
      answered(200, '2026-12-11T00:00:00Z'),
      ['answer good', 'certificate warning'],
    ],
    [
      'whose certificate ends in 3 days',
      secure,
      answered(200, '2026-11-30T00:00:00Z'),
      ['answer good', 'certificate bad'],
    ],
    ['of something else', secure, answered(404, null), ['answer bad']],
    ['that is away', secure, away, ['answer bad']],
    ['in the clear', 'http://up.example.com', answered(200, null), ['answer good', 'encryption warning']],
    ['of this machine', 'http://127.0.0.1:3000', answered(200, null), ['answer good']],
  ]
  for (const [what, url, outcome, verdicts] of cases)
    it(`${what} is ${verdicts.join(', ')}`, () =>
      assert.deepEqual(verdictsOf(judgeAddress(url, outcome, now)), verdicts))
})

function certificateUntil(notAfter: string): {
  subject: string
  issuer: string
  names: string[]
  notBefore: string
  notAfter: string
  serial: string
  fingerprint256: string
} {
  return { subject: '', issuer: '', names: [], notBefore: notAfter, notAfter, serial: '', fingerprint256: '' }
}

describe('the verdict on what may be left out', () => {
  const none = { payments: { mode: 'off' }, publicUrl: null, heartbeatUrl: null, operatorEmail: null } as const
  it('says what is off, and warns where no person is told of trouble', () =>
    assert.deepEqual(verdictsOf(judgeExtras(none)), [
      'payments not_looked_at',
      'push messages not_looked_at',
      'operator warning',
    ]))

  it('says what is complete', () => {
    const all = {
      ...none,
      payments: { mode: 'sandbox', cardWireName: 'card' },
      publicUrl: 'https://up.example.com',
      operatorEmail: 'me@example.com',
    } as const
    assert.deepEqual(verdictsOf(judgeExtras(all)), ['payments good', 'push messages good', 'operator good'])
  })
})
