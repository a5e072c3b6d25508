import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AlertExposure, ExposureAlert } from '#core/contacts/alerting.ts'
import { type ExposureOutcome, exposureOutcomes } from '#core/software/exposure.ts'
import { exposureAlertOf, exposureOf } from '../../../test/support/alerts.ts'
import { webhookMessage } from '#contacts/webhook.ts'
import { wordingOf } from './wording.ts'

const context = { publicUrl: 'https://perigee.example' }
const word = (type: ExposureAlert['type'], exposures: AlertExposure[], total?: number) =>
  wordingOf(exposureAlertOf(type, exposures, total), context)
const ended = (of: Partial<AlertExposure>) => word('exposure.ended', [exposureOf('exposure.ended', of)])

describe('the words of an exposure that goes on', () => {
  it('say what is exploited, for how long, and what to do', () => {
    const { tone, headline, lead, facts, link } = word('exposure.reminder', [exposureOf('exposure.reminder')])
    assert.deepEqual(
      [tone, headline, lead, facts],
      [
        'bad',
        'Still exposed: Shop API (for 7 d)',
        'CVE-2026-0001 (critical) is known to be exploited. Shop API has had nginx 1.26.1, which it affects, for 7 d. Update nginx to 1.26.2.',
        [{ label: 'Address', value: 'https://shop.example/health' }],
      ],
    )
    assert.equal(link?.label, 'Open the monitor')
  })

  it('say that no fix is known, and no severity where there is none', () => {
    const { lead } = word('exposure.reminder', [exposureOf('exposure.reminder', { severity: null, fix_version: null })])
    assert.match(lead, /^CVE-2026-0001 is known to be exploited\. .* No fixed version of nginx is known\.$/)
  })

  it('name several, the oldest first, and count the rest', () => {
    const second = exposureOf('exposure.reminder', {
      vuln_id: 'CVE-2026-0002',
      severity: null,
      fix_version: null,
      opened_at: '2026-11-21T08:00:00.000Z',
    })
    const { headline, lead, facts } = word('exposure.reminder', [exposureOf('exposure.reminder'), second], 12)
    assert.equal(headline, 'Still exposed: Shop API (12 vulnerabilities)')
    assert.equal(lead, '12 vulnerabilities that are known to be exploited affect Shop API, the oldest for 7 d.')
    assert.deepEqual(facts.slice(0, 3), [
      { label: 'CVE-2026-0001', value: 'critical: nginx 1.26.1, fixed in 1.26.2, for 7 d' },
      { label: 'CVE-2026-0002', value: 'nginx 1.26.1, no fix known, for 2 h 4 min' },
      { label: 'And', value: '10 more' },
    ])
  })
})

describe('the words of an exposure that ended', () => {
  const cases: Readonly<Record<ExposureOutcome, RegExp>> = {
    proved:
      /^Scans from several locations prove that CVE-2026-0001 no longer affects nginx on Shop API\. The signed report/,
    not_seen: /^No location has seen nginx on Shop API in the last two scans/,
    updated:
      /^The software of Shop API has nginx 1\.26\.2 now, which CVE-2026-0001 does not affect\. Scans have not proved it yet\./,
    not_listed: /^The software of Shop API no longer has nginx/,
    not_affected: /^The advisory of CVE-2026-0001 no longer says that it affects nginx 1\.26\.1 on Shop API\./,
    withdrawn: /^CVE-2026-0001, which affects nginx 1\.26\.1 on Shop API, is no longer listed as exploited\./,
    ignored: /^nginx is ignored in the software of Shop API/,
    monitor_deleted: /^Shop API, which CVE-2026-0001 affected, was deleted\./,
  }
  for (const outcome of exposureOutcomes)
    it(`say how: ${outcome}`, () => {
      const words = ended({ outcome })
      assert.equal(words.tone, 'good')
      assert.match(words.lead, cases[outcome])
      assert.match(words.lead, / It was exposed for 7 d\.$/)
    })

  it('call a proof one in the headline, and nothing else', () => {
    assert.equal(ended({ outcome: 'proved' }).headline, 'Fix proved: Shop API (CVE-2026-0001)')
    assert.equal(ended({ outcome: 'not_seen' }).headline, 'No longer exposed: Shop API (CVE-2026-0001)')
  })

  it('name several with what ended each', () => {
    const list = [
      exposureOf('exposure.ended', { outcome: 'proved' }),
      exposureOf('exposure.ended', { vuln_id: 'CVE-2026-0002', outcome: 'not_listed' }),
    ]
    const { headline, facts } = word('exposure.ended', list)
    assert.equal(headline, 'No longer exposed: Shop API (2 vulnerabilities)')
    assert.deepEqual(
      facts.slice(0, 2).map(({ value }) => value),
      ['nginx 1.26.1: fix proved, after 7 d', 'nginx 1.26.1: no longer listed, not proved, after 7 d'],
    )
  })
})

describe('the body of a webhook that tells of exposures', () => {
  it('stays below 20 kB whatever an advisory and a target say', () => {
    const text = '\u0001😀"'.repeat(500)
    const one = exposureOf('exposure.ended', {
      vuln_id: text,
      software_name: text,
      version: text,
      fix_version: text,
      last_version: text,
    })
    const alert = exposureAlertOf(
      'exposure.ended',
      Array.from({ length: 20 }, () => one),
    )
    const { body } = webhookMessage(alert, {
      ...context,
      deliveryId: 'd',
      sentAt: new Date(),
      destination: 'https://alerts.example/in',
      signingSecrets: [],
      unsubscribeUrl: context.publicUrl,
    })
    assert.ok(Buffer.byteLength(body) < 20_000)
    assert.ok(JSON.parse(body).data.exposures.length > 0)
  })
})
