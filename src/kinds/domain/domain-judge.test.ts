import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { configurationOf } from '../../../test/support/check.ts'
import { domain, judgeDomain } from './domain.ts'
import type { Registration } from './registration.ts'
import type { Finding } from './registrations.ts'

const dayMs = 86_400_000
const now = new Date('2026-05-20T12:00:00Z')

function fromNow(days: number): string {
  return new Date(now.getTime() + days * dayMs).toISOString()
}

function judge(finding: Finding | Partial<Registration>, warnDays?: number): Verdict {
  const registration = {
    isRegistered: true,
    expiresAt: fromNow(200),
    registrar: 'Example Registrar',
    statuses: ['active'],
  }
  const known = { ok: true, source: 'rdap', server: 'rdap.example', readAt: new Date(fromNow(-0.5)) } as const
  const seen: Finding =
    'ok' in finding
      ? finding
      : { ok: true, known: { ...known, registration: { ...registration, ...finding } }, latencyMs: 34 }
  const options = warnDays === undefined ? {} : { warn_days: warnDays }
  const check = { ...configurationOf(domain, { url: 'www.example.com', timeoutMs: 700 }), options }
  return judgeDomain({ name: 'www.example.com', domain: 'example.com', finding: seen, now }, check)
}

describe('the judgement of a registration', () => {
  it('is up and shows it', () => {
    assert.deepEqual(judge({}), {
      status: 'up',
      statusCode: null,
      latencyMs: 34,
      error: null,
      phases: noPhases,
      details: {
        domain: 'example.com',
        registrar: 'Example Registrar',
        expires_at: fromNow(200),
        days_left: 200,
        statuses: ['active'],
        source: 'rdap',
        server: 'rdap.example',
        read_at: fromNow(-0.5),
      },
      expiry: { domain: { name: 'example.com', expiresAt: fromNow(200) } },
    })
  })

  const cases: [what: string, Partial<Registration>, number | undefined, string | null][] = [
    ['31 days left', { expiresAt: fromNow(30.01) }, undefined, null],
    [
      '30 days left',
      { expiresAt: fromNow(30) },
      undefined,
      'The registration of example.com expires in 30 days (on 2026-06-19)',
    ],
    ['30 days left of 7 wanted', { expiresAt: fromNow(30) }, 7, null],
    [
      'a day left of 1 wanted',
      { expiresAt: fromNow(1) },
      1,
      'The registration of example.com expires in 1 day (on 2026-05-21)',
    ],
    [
      '100 days left of 365 wanted',
      { expiresAt: fromNow(100) },
      365,
      'The registration of example.com expires in 100 days (on 2026-08-28)',
    ],
    [
      'an hour left',
      { expiresAt: fromNow(1 / 24) },
      undefined,
      'The registration of example.com expires in less than a day (on 2026-05-20)',
    ],
    [
      'none left',
      { expiresAt: fromNow(0) },
      undefined,
      'The registration of example.com expired on 2026-05-20 (0 days ago)',
    ],
    [
      'its end passed',
      { expiresAt: fromNow(-1.5) },
      1,
      'The registration of example.com expired on 2026-05-19 (1 day ago)',
    ],
    ['no end published', { expiresAt: null }, undefined, null],
    [
      'no registration',
      { isRegistered: false, expiresAt: null, statuses: [] },
      undefined,
      'The domain example.com is not registered',
    ],
    [
      'a hold',
      { statuses: ['active', 'client hold'] },
      undefined,
      'The domain example.com was taken out of the DNS by its registrar or registry (client hold)',
    ],
    [
      'a deletion',
      { statuses: ['server hold', 'redemption period'] },
      undefined,
      'The registration of example.com has expired and the domain is being deleted (redemption period)',
    ],
    ['other statuses', { statuses: ['client transfer prohibited', 'ok', 'inactive'] }, undefined, null],
  ]
  for (const [what, registration, warnDays, error] of cases)
    it(`with ${what} is ${error === null ? 'up' : 'down'}`, () => {
      const verdict = judge(registration, warnDays)
      assert.deepEqual([verdict.error, verdict.status], [error, error === null ? 'up' : 'down'])
      assert.equal(verdict.expiry === undefined, registration.isRegistered === false)
    })

  it('tells that no end is published', () => {
    const { details } = judge({ expiresAt: null, registrar: null })
    assert.deepEqual(
      [details['expires_at'], details['days_left'], details['expiry'], details['registrar']],
      [null, null, 'not published', null],
    )
  })

  it('is degraded where nothing could be read, for that is not the domain’s fault', () => {
    const unread = judge({ ok: false, problem: 'no answer' })
    assert.deepEqual(
      [unread.status, unread.error, unread.details],
      ['degraded', 'The registration of example.com could not be read: no answer', { domain: 'example.com' }],
    )
    const late = judge({ ok: false, problem: null })
    assert.equal(late.error, 'Timed out after 700 ms while reading the registration of example.com')
  })
})
