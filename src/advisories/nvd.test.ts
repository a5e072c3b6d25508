import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpeMatch, nvdRecord } from '../../test/support/advisory-records.ts'
import { sharedText, withoutSharedData } from '../../test/support/shared-data.ts'
import { AdvisoryError } from './advisory-error.ts'
import { compileAffected, isAffected, mayBeAffected } from './affected.ts'
import { readNvd } from './nvd.ts'
import { versionOrder } from './version-order.ts'

type Node = { negate?: boolean; cpeMatch: unknown[] }

/** The verdict of a record on a product's version: affected for certain, perhaps, or not at all. */
function told(record: unknown, product: string, text: string): 'affected' | 'may be' | 'not' {
  const version = versionOrder('generic').parse(text)
  assert.ok(version !== null, text)
  const parts = readNvd(record).affected.filter((one) => one.product === product)
  const hits = parts.filter(({ affected }) => {
    const compiled = compileAffected(affected, 'generic')
    return isAffected(compiled, version) || mayBeAffected(compiled, version)
  })
  if (hits.length === 0) return 'not'
  return hits.every(({ isConditional, mayApply }) => isConditional || mayApply) ? 'may be' : 'affected'
}

function withNodes(nodes: Node[], operator?: string): unknown {
  return nvdRecord('CVE-2026-1000', { configurations: [{ nodes, ...(operator === undefined ? {} : { operator }) }] })
}

const edition = (name: string, end: string): unknown =>
  cpeMatch('gitlab:gitlab', { criteria: `cpe:2.3:a:gitlab:gitlab:*:*:*:*:${name}:*:*:*`, versionEndExcluding: end })

const metric = (type: string, vectorString: string): unknown => ({ type, cvssData: { vectorString } })

const real = (file: string): unknown => JSON.parse(sharedText(`nvd-2.0/${file}.json`)).vulnerabilities[0].cve

const nginx = 'cpe:f5:nginx'

const on = (criteria: string): string =>
  told(
    withNodes([{ cpeMatch: [cpeMatch('f5:nginx')] }, { cpeMatch: [{ vulnerable: false, criteria }] }], 'AND'),
    nginx,
    '1.20.1',
  )

const divided = (ends: [string, string]): unknown =>
  withNodes([{ cpeMatch: [edition('community', ends[0]), edition('enterprise', ends[1])] }])

describe('readNvd', () => {
  const matches: [string, Record<string, unknown>, Record<string, 'affected' | 'may be' | 'not'>][] = [
    [
      'an end that is excluded',
      { versionEndExcluding: '1.27.1' },
      { '1.27.0': 'affected', '1.27.1': 'not', '0.1': 'affected' },
    ],
    ['an end that is included', { versionEndIncluding: '1.27.1' }, { '1.27.1': 'affected', '1.27.2': 'not' }],
    [
      'a beginning that is included',
      { versionStartIncluding: '1.20', versionEndExcluding: '1.27' },
      { '1.19.9': 'not', '1.20': 'affected' },
    ],
    [
      'a beginning that is excluded',
      { versionStartExcluding: '1.20', versionEndExcluding: '1.27' },
      { '1.20': 'not', '1.20.1': 'affected' },
    ],
    ['one version', { criteria: 'cpe:2.3:a:f5:nginx:1.20.1:*:*:*:*:*:*:*' }, { '1.20.1': 'affected', '1.20.2': 'not' }],
    [
      'one update of a version',
      { criteria: 'cpe:2.3:a:f5:nginx:1.20.1:rc2:*:*:*:*:*:*' },
      { '1.20.1-rc2': 'affected', '1.20.1': 'not' },
    ],
    ['all versions', { criteria: 'cpe:2.3:a:f5:nginx:*:*:*:*:*:*:*:*' }, { '1.20.1': 'affected' }],
    ['no version at all', { criteria: 'cpe:2.3:a:f5:nginx:-:*:*:*:*:*:*:*' }, { '1.20.1': 'may be' }],
    ['what is not vulnerable', { vulnerable: false }, { '1.20.1': 'not' }],
    ['one edition', { criteria: 'cpe:2.3:a:f5:nginx:*:*:*:*:plus:*:*:*' }, { '1.20.1': 'may be' }],
    [
      'an app for phones of the same name',
      { criteria: 'cpe:2.3:a:f5:nginx:*:*:*:*:*:android:*:*' },
      { '1.20.1': 'not' },
    ],
    ['a plugin of something', { criteria: 'cpe:2.3:a:f5:nginx:*:*:*:*:*:wordpress:*:*' }, { '1.20.1': 'affected' }],
    ['one other system', { criteria: 'cpe:2.3:a:f5:nginx:*:*:*:*:*:windows:*:*' }, { '1.20.1': 'may be' }],
    ['a device', { criteria: 'cpe:2.3:h:f5:nginx:*:*:*:*:*:*:*:*' }, { '1.20.1': 'not' }],
    ['something that is no CPE', { criteria: 'cpe:/a:f5:nginx' }, { '1.20.1': 'not' }],
  ]
  for (const [what, match, versions] of matches)
    it(`reads ${what}`, () => {
      const record = withNodes([{ cpeMatch: [cpeMatch('f5:nginx', match)] }])
      for (const [version, expected] of Object.entries(versions))
        assert.equal(told(record, nginx, version), expected, version)
    })

  it('says of what is affected on one system that it may apply, on Linux for certain, on a device not at all', () => {
    assert.equal(on('cpe:2.3:o:microsoft:windows:-:*:*:*:*:*:*:*'), 'may be')
    assert.equal(on('cpe:2.3:o:linux:linux_kernel:-:*:*:*:*:*:*:*'), 'affected')
    assert.equal(on('cpe:2.3:h:cisco:box:-:*:*:*:*:*:*:*'), 'not')
  })

  it('takes editions that say the same for one product, and different ones for what may apply', () => {
    assert.equal(told(divided(['18.1', '18.1']), 'cpe:gitlab:gitlab', '18.0'), 'affected')
    assert.equal(told(divided(['18.1', '18.2']), 'cpe:gitlab:gitlab', '18.0'), 'may be')
    assert.equal(told(divided(['18.1', '18.2']), 'cpe:gitlab:gitlab', '18.2'), 'not')
  })

  it('names a distribution only where it is about that itself', () => {
    const debian = { vulnerable: true, criteria: 'cpe:2.3:o:debian:debian_linux:12.0:*:*:*:*:*:*:*' }
    assert.equal(
      told(withNodes([{ cpeMatch: [cpeMatch('f5:nginx'), debian] }]), 'cpe:debian:debian_linux', '12.0'),
      'not',
    )
    assert.equal(told(withNodes([{ cpeMatch: [debian] }]), 'cpe:debian:debian_linux', '12.0'), 'affected')
  })

  it("takes NVD's own rating before that of others, and of each the newest", () => {
    const metrics = {
      cvssMetricV40: [metric('Secondary', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N')],
      cvssMetricV31: [
        metric('Secondary', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'),
        metric('Primary', 'CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'),
      ],
      cvssMetricV2: [metric('Primary', 'AV:L/AC:L/Au:N/C:N/I:N/A:P')],
    }
    assert.equal(readNvd(nvdRecord('CVE-2026-1000', { metrics })).score, 6.2)
    const { cvssMetricV2 } = metrics
    assert.equal(readNvd(nvdRecord('CVE-2026-1000', { metrics: { cvssMetricV2 } })).score, 2.1)
    assert.equal(readNvd(nvdRecord('CVE-2026-1000', { metrics: 'none' })).score, null)
  })

  it('closes what was rejected, and takes its times for UTC', () => {
    const rejected = readNvd(nvdRecord('CVE-2026-1000', { vulnStatus: 'Rejected', configurations: undefined }))
    assert.deepEqual(rejected.withdrawnAt, new Date('2026-11-20T09:00:00Z'))
    assert.deepEqual(rejected.affected, [])
  })

  it('reads real records as a second reading did', { skip: withoutSharedData }, () => {
    const samba = real('CVE-2022-32746')
    for (const [version, expected] of [
      ['4.2.9', 'not'],
      ['4.3.0', 'affected'],
      ['4.14.13', 'affected'],
      ['4.14.14', 'not'],
      ['4.15.8', 'affected'],
      ['4.15.9', 'not'],
    ] as const)
      assert.equal(told(samba, 'cpe:samba:samba', version), expected, version)
    const tensorflow = real('CVE-2022-29194')
    for (const [version, expected] of [
      ['2.6.3', 'affected'],
      ['2.6.4', 'not'],
      ['2.7.1', 'affected'],
      ['2.8.1', 'not'],
      ['2.9.0-rc1', 'affected'],
      ['2.9.0', 'not'],
    ] as const)
      assert.equal(told(tensorflow, 'cpe:google:tensorflow', version), expected, version)
    assert.equal(told(real('CVE-2023-4863'), 'cpe:google:chrome', '116.0.5845.186'), 'affected')
    assert.deepEqual(readNvd(real('CVE-2024-47177')).affected, [])
  })

  it('throws nothing but AdvisoryError, whatever it is given', () => {
    const match = fc.record(
      {
        vulnerable: fc.boolean(),
        criteria: fc.oneof(
          fc.string(),
          fc.string().map((text) => `cpe:2.3:a:${text}:x:*`),
        ),
        versionEndExcluding: fc.string(),
      },
      { requiredKeys: ['vulnerable', 'criteria'] },
    )
    const configurations = fc.array(
      fc.record({ operator: fc.constantFrom('AND', 'OR'), nodes: fc.array(fc.record({ cpeMatch: fc.array(match) })) }),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.record({ id: fc.constant('CVE-2026-1000'), configurations, metrics: fc.jsonValue() }),
          fc.jsonValue(),
        ),
        (record) => {
          try {
            readNvd(record)
          } catch (error) {
            assert.ok(error instanceof AdvisoryError, String(error))
          }
        },
      ),
    )
  })
})
