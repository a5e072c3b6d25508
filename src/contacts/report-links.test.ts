import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { createSecrets } from '#store/database/secrets.ts'
import { linkIdOf, unsubscribeUrl } from './links.ts'
import { endReportUrl, type ReportLink, readReportLink } from './report-links.ts'

const secrets = createSecrets(randomBytes(32))
const reportId = '6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22'
const id = '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'

function linkTo(report: string, contact: string): ReportLink {
  const [named = '', contactId = '', signature = ''] = endReportUrl(
    '',
    { reportId: report, contactId: contact },
    secrets,
  )
    .split('/')
    .slice(-3)
  return { reportId: named, contactId, signature }
}

describe('a link that ends a report', () => {
  for (const addressNumber of [0, 3])
    it(`names the report and its reader at the address with the number ${addressNumber}`, () => {
      const link = linkTo(reportId, linkIdOf({ id, addressNumber }))
      assert.deepEqual(readReportLink(link, secrets), { reportId, addressee: { id, addressNumber } })
    })

  it('is worth nothing where the report, the reader, the key or the purpose is another one', () => {
    const link = linkTo(reportId, id)
    assert.equal(readReportLink({ ...link, reportId: id }, secrets), null)
    assert.equal(readReportLink({ ...link, contactId: `${id}~1` }, secrets), null)
    assert.equal(readReportLink(link, createSecrets(randomBytes(32))), null)
    const signature = unsubscribeUrl('', id, secrets).split('/').at(-1) ?? ''
    assert.equal(readReportLink({ ...link, signature }, secrets), null)
  })

  it('names nothing that is no id, even where we signed it', () => {
    assert.equal(readReportLink(linkTo('report', id), secrets), null)
    assert.equal(readReportLink(linkTo(reportId, 'reader'), secrets), null)
    assert.equal(readReportLink(linkTo('report', 'reader'), secrets), null)
  })
})
