import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CertificateAlert, DomainAlert } from '#core/contacts/alerting.ts'
import { alertOf } from '../../../test/support/alerts.ts'
import { wordingOf } from './wording.ts'

const context = { publicUrl: 'https://perigee.example' }
const link = {
  label: 'Open the monitor',
  url: 'https://perigee.example/monitors/0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11',
}

/** Told at 10:04 on 21 November. */
function domainOf(change: Partial<DomainAlert['data']> = {}): DomainAlert {
  const alert = alertOf('domain.expiring')
  assert.ok(alert.type === 'domain.expiring')
  return { ...alert, data: { ...alert.data, ...change } }
}

function certificateOf(change: Partial<CertificateAlert['data']> = {}): CertificateAlert {
  const alert = alertOf('certificate.expiring')
  assert.ok(alert.type === 'certificate.expiring')
  return { ...alert, data: { ...alert.data, ...change } }
}

describe('the words of a domain that ends', () => {
  it('say when, and who renews it', () =>
    assert.deepEqual(wordingOf(domainOf(), context), {
      tone: 'warning',
      headline: 'Domain expiring in 7 days: shop.example',
      lead: 'The registration of shop.example expires in 7 days (on 2026-11-28). Renew it with your registrar.',
      facts: [
        { label: 'Monitor', value: 'Shop API' },
        { label: 'Expires', value: '2026-11-28 10:00:00 UTC' },
        { label: 'Address', value: 'https://shop.example/health' },
      ],
      link,
      acknowledge: null,
    }))

  const expired = 'The domain may stop working at any moment. Renew it with your registrar now.'
  const ends: [expiresAt: string, daysLeft: number, headline: string, lead: string][] = [
    [
      '2026-11-22T10:04:00.000Z',
      1,
      'expiring in 1 day',
      'expires in 1 day (on 2026-11-22). Renew it with your registrar.',
    ],
    [
      '2026-11-21T10:04:00.001Z',
      0,
      'expiring in less than a day',
      'expires in less than a day (on 2026-11-21). Renew it with your registrar.',
    ],
    ['2026-11-21T10:04:00.000Z', 0, 'expired', `expired on 2026-11-21. ${expired}`],
    ['2026-11-20T10:04:00.000Z', -1, 'expired', `expired on 2026-11-20 (1 day ago). ${expired}`],
    ['2026-11-19T10:04:00.000Z', -2, 'expired', `expired on 2026-11-19 (2 days ago). ${expired}`],
  ]
  for (const [expires_at, days_left, headline, lead] of ends)
    it(`call an end at ${expires_at} ${headline}`, () => {
      const wording = wordingOf(domainOf({ expires_at, days_left }), context)
      assert.equal(wording.headline, `Domain ${headline}: shop.example`)
      assert.equal(wording.lead, `The registration of shop.example ${lead}`)
    })
})

describe('the words of a certificate that ends', () => {
  it('say when, who issued it and what should have happened', () =>
    assert.deepEqual(wordingOf(certificateOf({ days_left: 1 }), context), {
      tone: 'warning',
      headline: 'Certificate expiring in 1 day: www.shop.example',
      lead: 'The certificate of www.shop.example expires in 1 day (on 2026-11-28). Automatic renewal should have replaced it by now. Find out why it did not, or renew the certificate by hand.',
      facts: [
        { label: 'Monitor', value: 'Shop API' },
        { label: 'Expires', value: '2026-11-28 10:00:00 UTC' },
        { label: 'Issuer', value: 'E7' },
        { label: 'Address', value: 'https://shop.example/health' },
      ],
      link,
      acknowledge: null,
    }))

  const reads: [seenAt: string, told: string | undefined][] = [
    ['2026-11-21T10:04:00.000Z', undefined],
    ['2026-11-19T22:04:00.001Z', undefined],
    ['2026-11-19T22:04:00.000Z', '2026-11-19 22:04:00 UTC'],
    ['2026-11-01T00:00:00.000Z', '2026-11-01 00:00:00 UTC'],
  ]
  for (const [seen_at, told] of reads)
    it(`say of one that was read at ${seen_at} ${told === undefined ? 'nothing' : 'when that was'}`, () => {
      const { facts } = wordingOf(certificateOf({ seen_at }), context)
      assert.equal(facts.find(({ label }) => label === 'Last read')?.value, told)
    })
})
